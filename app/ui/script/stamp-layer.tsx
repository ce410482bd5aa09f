import type { ShownPage } from "../../domain/page-image.ts";
import type { Stamp } from "../../domain/stamp.ts";
import {
  type DrawnStamp,
  dotRadius,
  drawStamps,
  lineHeight,
  sizeInUnits,
  stampPaths,
} from "../../domain/stamp-drawing.ts";
import "../../styles/parts/stamped-pages.css";

/** The stamps over a page image, hidden from screen readers because the page also lists them as text. */
export function StampLayer({ page, stamps }: { page: ShownPage; stamps: Stamp[] }) {
  const { width, height } = sizeInUnits(page, page.turn);
  return (
    <svg className="stamps" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {drawStamps(stamps, page, page.turn).map((one) => (
        <g key={one.stamp.id}>
          <StampShape drawn={one} />
        </g>
      ))}
    </svg>
  );
}

function StampShape({ drawn: { stamp, x, y, lines, anchor, firstLineY } }: { drawn: DrawnStamp }) {
  if (stamp.kind !== "comment") {
    return (
      <g transform={`translate(${x} ${y})`}>
        <path className="halo" d={stampPaths[stamp.kind]} />
        <path d={stampPaths[stamp.kind]} />
      </g>
    );
  }
  const textX = x + (anchor === "start" ? 3 : -3) * dotRadius;
  return (
    <>
      <circle cx={x} cy={y} r={dotRadius} />
      <text textAnchor={anchor}>
        {lines.map((line, index) => (
          <tspan key={index} x={textX} y={firstLineY + index * lineHeight + lineHeight / 4}>
            {line}
          </tspan>
        ))}
      </text>
    </>
  );
}

/** A kind of stamp as a small picture beside words; null for a comment. */
export function StampMark({ kind }: Pick<Stamp, "kind">) {
  if (kind === "comment") return null;
  return (
    <svg className="stamps one" viewBox="-26 -26 52 52" aria-hidden="true">
      <path d={stampPaths[kind]} />
    </svg>
  );
}

export const stampNames: Record<Stamp["kind"], string> = {
  tick: "Tick",
  cross: "Cross",
  question: "Question mark",
  comment: "Comment",
};

/** Says in words to which question a stamp belongs, and whether it is for a whole page. */
export const stampAbout = ({ questionNumber, page, y }: Stamp): string =>
  `question ${questionNumber}${page !== null && y === null ? ", for the whole page" : ""}`;
