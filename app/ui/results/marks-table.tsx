import type { MarkedSubmission, QuestionMark } from "../../domain/result.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { hasDifference, isDecided, needsLook } from "../../results/class-report.ts";
import { noMark, totalOf } from "../../results/grade.ts";
import { TotalMarks } from "./learner-grade.tsx";

/** The marks of a learner, and who decided each. @param deskAt where a mark is decided; missing if the reader decides nothing */
export function MarksTable({
  submission,
  deskAt,
}: {
  submission: MarkedSubmission;
  deskAt: ((questionNumber: string) => string) | undefined;
}) {
  const { studentName, questionMarks } = submission;
  return (
    <table className="marks">
      <caption className="visually-hidden">Marks by question: {studentName}</caption>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Marks</th>
        </tr>
      </thead>
      <tbody>
        {questionMarks.map((mark) => (
          <QuestionRows
            key={mark.questionNumber}
            mark={mark}
            showsWho
            deskHref={deskAt?.(mark.questionNumber)}
          />
        ))}
        <tr className="total">
          <th scope="row">
            <b>Total</b>{" "}
            {!questionMarks.every(isDecided) && (
              <span className="hint">{whyInPencil(questionMarks.length, !!deskAt)}</span>
            )}
          </th>
          <td className="figures">
            <TotalMarks marks={totalOf(submission)} isDecided={questionMarks.every(isDecided)} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

const numerals = ["", "one", "both", "three", "four", "five", "six", "seven", "eight", "nine"];

function whyInPencil(count: number, decides: boolean): string {
  if (!decides) return "in pencil: not every mark is decided";
  if (count === 1) return "in pencil until you have decided it";
  const all = count === 2 ? "both" : `all ${numerals[count] ?? count}`;
  return `in pencil until you have decided ${all}`;
}

/** A question's mark, and in rows of their own, which have more room, what was said about it. */
export function QuestionRows({
  mark,
  showsWho,
  deskHref,
}: {
  mark: QuestionMark;
  /** Whether it names who decided. */
  showsWho?: boolean;
  /** Where the reader decides the mark. */
  deskHref?: string | undefined;
}) {
  const { questionNumber, description, totalMarks, feedback, comment, decision, second } = mark;
  return (
    <>
      <tr>
        <th scope="row">
          <b className="number figures">{questionNumber}</b> {description}
        </th>
        <td className="figures">
          <DrawnMark mark={mark} />
          <span className="faded">/{totalMarks}</span>
          {mark.notAnswered && <Remark className="pen">not answered</Remark>}
          {showsWho && decision && <Remark className="hint">{`by ${decision.by}`}</Remark>}
          {needsLook(mark) && <Remark className="look pencil">Look here first</Remark>}
        </td>
      </tr>
      {feedback && <Below className="pencil">{feedback}</Below>}
      {hasDifference(mark) && (
        <Below className="pencil">
          {`A second marker${showsWho ? `, ${second!.by},` : ""} gave ${second!.marks}${second!.comment ? ` (“${second!.comment}”)` : ""}.`}
        </Below>
      )}
      {comment && (
        <Below>
          <span className="visually-hidden">Comment on the decision: </span>
          <ins>{comment}</ins>
        </Below>
      )}
      {deskHref && (
        <Below className="no-print">
          <a className="standalone-link" href={deskHref}>
            {isDecided(mark) ? "Change it on the desk" : "Decide it on the desk"}
            <span className="visually-hidden">, question {questionNumber}</span>
          </a>
        </Below>
      )}
    </>
  );
}

interface PartProps {
  className?: string;
  children: React.ReactNode;
}

/** A row below a question's mark. */
const Below = ({ className, children }: PartProps) => (
  <tr className="below">
    <td colSpan={2} className={className}>
      {children}
    </td>
  </tr>
);

/** A line below a mark. */
const Remark = ({ className, children }: PartProps) => (
  <>
    <br />
    <span className={className}>{children}</span>
  </>
);

/** A proposal in pencil; a decision in red, beside the proposal that it agrees with or strikes out. */
function DrawnMark({ mark }: { mark: QuestionMark }) {
  const { marksAwarded, proposedMarks, notAnswered } = mark;
  if (!isDecided(mark)) return <b className="pencil">{marksAwarded ?? noMark}</b>;
  if (marksAwarded === proposedMarks && !notAnswered) {
    return (
      <>
        <b className="pencil">{marksAwarded}</b> <Tick />
        <span className="visually-hidden">agreed, </span>
      </>
    );
  }
  return (
    <>
      {typeof proposedMarks === "number" && (
        <>
          <span className="visually-hidden">proposed </span>
          <del className="pencil">{proposedMarks}</del>{" "}
        </>
      )}
      <span className="visually-hidden">decided </span>
      <ins>{marksAwarded}</ins>
    </>
  );
}
