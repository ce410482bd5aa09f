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
  const axisY = labelHeight + Math.max(highest * step, 3 * dotHeight);
  return (
    <div className="dots">
      <svg width="100%" height={axisY + axisHeight} aria-hidden="true">
        <Scale axisY={axisY} />
        {[...stacks].map(([grade, indexes]) => (
          <g key={grade} className={`band-${bandOf(grade).style}`}>
            {indexes.map((index, level) => (
              <a key={index} href={links.learner(submissions[index]!)} tabIndex={-1}>
                <circle cx={`${grade}%`} cy={axisY - (level + 0.5) * step} r={5} />
              </a>
            ))}
          </g>
        ))}
        <Line
          name="average"
          at={average}
          other={median}
          isHigher={average > median}
          axisY={axisY}
        />
        <Line
          name="median"
          at={median}
          other={average}
          isHigher={median >= average}
          axisY={axisY}
        />
      </svg>
    </div>
  );
}

function Scale({ axisY }: { axisY: number }) {
  return (
    <>
      <line x1="0%" x2="100%" y1={axisY} y2={axisY} />
      {bands.map(
        ({ min }) =>
          min > 0 && (
            <line
              key={min}
              className="edge"
              x1={`${min}%`}
              x2={`${min}%`}
              y1={labelHeight}
              y2={axisY}
            />
          ),
      )}
      {[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((grade) => (
        <text key={grade} x={`${grade}%`} y={axisY + 18} textAnchor="middle">
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
  axisY,
}: {
  name: string;
  at: number;
  /** Where the other line is. */
  other: number;
  isHigher: boolean;
  axisY: number;
}) {
  const isLeft = at + other > 100;
  const top = isHigher === isLeft ? 4 : 22;
  return (
    <g className={name}>
      <line x1={`${at}%`} x2={`${at}%`} y1={top} y2={axisY} />
      <text x={`${at}%`} y={top + 12} dx={isLeft ? -6 : 6} textAnchor={isLeft ? "end" : "start"}>
        {`${name} ${formatAverage(at)}%`}
      </text>
    </g>
  );
}
