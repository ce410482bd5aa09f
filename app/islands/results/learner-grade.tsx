import type { MarkedSubmission } from "../../domain/result.ts";
import {
  bandOf,
  type LevelScale,
  levelOf,
  type Marks,
  noMark,
  shownMarks,
  shownTotal,
  sumOf,
} from "../../results/grade.ts";

/** A learner's total out of 50, the percentage, band and level; before the last mark, that there is none. */
export function LearnerGrade({
  submission: { grade, questionMarks },
  levels,
}: {
  submission: MarkedSubmission;
  levels: LevelScale;
}) {
  if (grade === null) {
    return (
      <p className="learner-grade">
        <span className="ring figures">{`${noMark}/${shownTotal}`}</span>
        <span className="hint">no grade until every question has a mark</span>
      </p>
    );
  }
  const band = bandOf(grade);
  const { level, label } = levelOf(grade);
  const marks = sumOf(questionMarks);
  return (
    <p className={`learner-grade band-${band.style}`}>
      <span className="ring figures">{`${shownMarks(marks)}/${shownTotal}`}</span>
      <span>
        <b className="figures">{`${grade}%`}</b> <span className="band">{band.label}</span>
        {levels === "national" && <span className="hint">{`Level ${level}, ${label}`}</span>}
      </span>
    </p>
  );
}

/** A total out of 50, and the real one beside it where it differs. */
export function TotalMarks({ marks }: { marks: Marks }) {
  return (
    <>
      <b>{shownMarks(marks) ?? noMark}</b>/{shownTotal}
      {marks.awarded !== null &&
        marks.total !== shownTotal &&
        ` · ${marks.awarded} of ${marks.total} marks`}
    </>
  );
}
