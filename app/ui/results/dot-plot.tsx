import type { MarkedSubmission } from "../../domain/result.ts";
import { bandOf, bands, formatAverage } from "../../results/grade.ts";
import type { ResultsLinks } from "./results-urls.ts";

/** Heights in pixels. Widths are percentages, so that a grade is its own position. */
const labelHeight = 44;
const axisHeight = 26;
const maxDotHeight = 160;
const dotHeight = 12;

/**
 * A dot for each learner with a grade, on a line from 0 to 100. Screen readers and the keyboard get the same from
 * the other parts of the page.
 */
export function DotPlot({
  submissions,
  average,
  median,
  links,
}: {
  submissions: MarkedSubmission[];
  average: number;
  median: number;
  links: ResultsLinks;
}) {
  const graded = [...submissions.keys()].filter((index) => submissions[index]!.grade !== null);
  const stacks = Map.groupBy(graded, (index) => submissions[index]!.grade!);
  const highest = Math.max(...[...stacks.values()].map(({ length }) => length));
  const step = Math.min(dotHeight, maxDotHeight / highest);
  const base = labelHeight + Math.max(highest * step, 3 * dotHeight);
  return (
    <div className="dots">
      <svg width="100%" height={base + axisHeight} aria-hidden="true">
        <Scale base={base} />
        {[...stacks].map(([grade, indexes]) => (
          <g key={grade} className={`band-${bandOf(grade).style}`}>
            {indexes.map((index, level) => (
              <a key={index} href={links.learner(submissions[index]!)} tabIndex={-1}>
                <circle cx={`${grade}%`} cy={base - (level + 0.5) * step} r={5} />
              </a>
            ))}
          </g>
        ))}
        <Line name="average" at={average} other={median} isHigher={average > median} base={base} />
        <Line name="median" at={median} other={average} isHigher={median >= average} base={base} />
      </svg>
    </div>
  );
}

function Scale({ base }: { base: number }) {
  return (
    <>
      <line x1="0%" x2="100%" y1={base} y2={base} />
      {bands.map(
        ({ min }) =>
          min > 0 && (
            <line
              key={min}
              className="edge"
              x1={`${min}%`}
              x2={`${min}%`}
              y1={labelHeight}
              y2={base}
            />
          ),
      )}
      {[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((grade) => (
        <text key={grade} x={`${grade}%`} y={base + 18} textAnchor="middle">
          {grade}
        </text>
      ))}
    </>
  );
}

/**
 * A line with a label on the side that has room. If the other line is on that side, this one is taller, so that its
 * label passes above the other.
 */
function Line({
  name,
  at,
  other,
  isHigher,
  base,
}: {
  name: string;
  at: number;
  /** Where the other line is. */
  other: number;
  isHigher: boolean;
  base: number;
}) {
  const isLeft = at + other > 100;
  const top = isHigher === isLeft ? 4 : 22;
  return (
    <g className={name}>
      <line x1={`${at}%`} x2={`${at}%`} y1={top} y2={base} />
      <text x={`${at}%`} y={top + 12} dx={isLeft ? -6 : 6} textAnchor={isLeft ? "end" : "start"}>
        {`${name} ${formatAverage(at)}%`}
      </text>
    </g>
  );
}
