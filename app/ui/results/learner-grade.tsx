import type { MarkedSubmission, NoGrade, QuestionMark } from "../../domain/result.ts";
import { isDecided, needsLook } from "../../results/class-report.ts";
import {
  bandOf,
  choicesIn,
  type LevelScale,
  levelOf,
  noMark,
  shownMarks,
  shownTotal,
  totalOf,
} from "../../results/grade.ts";

/** Says why marks may add up to more than the total; null without a choice. */
export function Choices({ marks }: { marks: readonly QuestionMark[] }) {
  const choices = choicesIn(marks);
  return choices ? <span className="hint"> {choices}</span> : null;
}

/** A learner's total, as awarded and out of 50, with percentage, band and level; or why there is no grade. */
export function LearnerGrade({
  submission,
  levels,
}: {
  submission: MarkedSubmission;
  levels: LevelScale;
}) {
  const { grade, noGrade } = submission;
  if (noGrade) return <p className="learner-grade">{noGradeSentences[noGrade]}</p>;
  const ring = <RingedTotal submission={submission} />;
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
        <OutOfShown submission={submission} />
        <b className="figures">{`${grade}%`}</b> <span className="band">{band.label}</span>
      </span>
    </p>
  );
}

const noGradeSentences: Record<NoGrade, string> = {
  absent: "Absent: no grade",
  unreadable: "The work could not be read: no grade",
};

/** A learner's total: ringed as awarded, then converted to 50 if the paper is out of another number. */
export function TotalMarks({ submission }: { submission: MarkedSubmission }) {
  return (
    <>
      <RingedTotal submission={submission} /> <OutOfShown submission={submission} />
    </>
  );
}

function OutOfShown({ submission }: { submission: MarkedSubmission }) {
  const marks = totalOf(submission);
  if (marks.awarded === null || marks.total === shownTotal) return null;
  return <span className="hint">{`${shownMarks(marks)} of ${shownTotal} `}</span>;
}

/** The ring is dashed, in pencil, until a person has decided every mark, then red. */
function RingedTotal({ submission }: { submission: MarkedSubmission }) {
  const { questionMarks } = submission;
  const { awarded, total } = totalOf(submission);
  const style = questionMarks.every(isDecided) ? "circled pen" : "ringed pencil";
  return (
    <span className={`${style} figures`}>
      {awarded ?? noMark}
      {awarded !== null && questionMarks.some(needsLook) && <DoubtMark />}
      <OutOf total={total} />
    </span>
  );
}

/** The marks that a mark is out of: shown as "/8", and read by screen readers as "of 8". */
export const OutOf = ({ total }: { total: number }) => (
  <>
    <span className="visually-hidden"> of </span>
    <span aria-hidden="true">/</span>
    {total}
  </>
);

/** The question mark after a total that contains a mark to look at first. */
export const DoubtMark = () => (
  <>
    <span aria-hidden="true">?</span>
    <span className="visually-hidden"> with a mark to look at first</span>
  </>
);
