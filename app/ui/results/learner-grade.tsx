import type { MarkedSubmission, NoGrade } from "../../domain/result.ts";
import { isDecided } from "../../results/class-report.ts";
import {
  bandOf,
  type LevelScale,
  levelOf,
  type Marks,
  noMark,
  shownMarks,
  shownTotal,
  totalOf,
} from "../../results/grade.ts";

/** A learner's total out of 50, the percentage, band and level; before the last mark, that there is none. */
export function LearnerGrade({
  submission,
  levels,
}: {
  submission: MarkedSubmission;
  levels: LevelScale;
}) {
  const { grade, noGrade, questionMarks } = submission;
  if (noGrade) return <p className="learner-grade">{noGradeSentences[noGrade]}</p>;
  const marks = totalOf(submission);
  const ring = (
    <Ring isDecided={questionMarks.every(isDecided)}>
      {`${shownMarks(marks) ?? noMark}/${shownTotal}`}
    </Ring>
  );
  if (grade === null) {
    return (
      <p className="learner-grade cluster">
        {ring}
        <span className="hint">no grade until every question has a mark</span>
      </p>
    );
  }
  const band = bandOf(grade);
  const { level, label } = levelOf(grade);
  return (
    <p className={`learner-grade cluster band-${band.style}`}>
      {ring}
      <span>
        {levels === "national" && (
          <>
            {`Level ${level}, ${label}`}
            <br />
          </>
        )}
        <b className="figures">{`${grade}%`}</b> <span className="band">{band.label}</span>
      </span>
    </p>
  );
}

const noGradeSentences: Record<NoGrade, string> = {
  absent: "Absent: no grade",
  unreadable: "The work could not be read: no grade",
};

/** A total out of 50, ringed, and the real one beside it where it differs. */
export function TotalMarks({ marks, isDecided }: { marks: Marks; isDecided: boolean }) {
  return (
    <>
      <Ring isDecided={isDecided}>{`${shownMarks(marks) ?? noMark}/${shownTotal}`}</Ring>
      {marks.awarded !== null && marks.total !== shownTotal && (
        <>
          <br />
          <span className="hint">{`${marks.awarded} of ${marks.total} marks`}</span>
        </>
      )}
    </>
  );
}

/** The ring around a total: dashed in pencil until a person has decided every mark, then red. */
const Ring = ({ isDecided, children }: { isDecided: boolean; children: React.ReactNode }) => (
  <span className={isDecided ? "circled pen figures" : "ringed pencil figures"}>{children}</span>
);
