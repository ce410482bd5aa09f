import type { MarkedSubmission } from "../../domain/result.ts";
import { bandOf, bands, formatAverage } from "../../results/grade.ts";
import type { ResultsLinks } from "./results-urls.ts";

/** Heights are in pixels. Widths are percentages, so a grade is also a position. */
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
  const graded = submissions.filter(({ grade }) => grade !== null);
  const stacks = Map.groupBy(graded, ({ grade }) => grade!);
  const highest = Math.max(...[...stacks.values()].map(({ length }) => length));
  const step = Math.min(dotHeight, maxDotHeight / highest);
  const axisY = labelHeight + Math.max(highest * step, 3 * dotHeight);
  // The side of both lines that has room for the labels.
  const side = average + median > 100 ? "left" : "right";
  // The line whose label crosses the other line is taller, so that the label passes above.
  const isAverageTaller = side === "left" ? average > median : average <= median;
  return (
    <div className="dots">
      <svg width="100%" height={axisY + axisHeight} aria-hidden="true">
        <Scale axisY={axisY} />
        {[...stacks].map(([grade, learners]) => (
          <g key={grade} className={`band-${bandOf(grade).style}`}>
            {learners.map((learner, level) => (
              <a key={level} href={links.learner(learner)} tabIndex={-1}>
                <circle cx={`${grade}%`} cy={axisY - (level + 0.5) * step} r={5} />
              </a>
            ))}
          </g>
        ))}
        <Line name="average" at={average} side={side} isTaller={isAverageTaller} axisY={axisY} />
        <Line name="median" at={median} side={side} isTaller={!isAverageTaller} axisY={axisY} />
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

function Line({
  name,
  at,
  side,
  isTaller,
  axisY,
}: {
  name: string;
  at: number;
  /** Where the label is. */
  side: "left" | "right";
  isTaller: boolean;
  axisY: number;
}) {
  const isLeft = side === "left";
  const top = isTaller ? 4 : 22;
  return (
    <g className={name}>
      <line x1={`${at}%`} x2={`${at}%`} y1={top} y2={axisY} />
      <text x={`${at}%`} y={top + 12} dx={isLeft ? -6 : 6} textAnchor={isLeft ? "end" : "start"}>
        {`${name} ${formatAverage(at)}%`}
      </text>
    </g>
  );
}
