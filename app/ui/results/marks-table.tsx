import { quotedTexts, textsIn } from "../../domain/decision.ts";
import { isByHand } from "../../domain/handwriting.ts";
import type { MarkedSubmission, QuestionMark, Results } from "../../domain/result.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { reasonForLearner } from "../../results/apply-decision.ts";
import { hasDifference, isDecided, needsLook } from "../../results/class-report.ts";
import { hasOpenProposal } from "../../results/decision-progress.ts";
import { noMark } from "../../results/grade.ts";
import { earnedPoints } from "../../results/point-report.ts";
import { inFile, nameOf, nameOfDecider, type Reader } from "../../results/who-decided.ts";
import { Choices, OutOf, TotalMarks } from "./learner-grade.tsx";

export function MarksTable({
  submission,
  points,
  reader,
  deskAt,
}: {
  submission: MarkedSubmission;
  points: Results["points"];
  reader: Reader;
  /** Returns the URL where the mark of a question is decided; undefined if the reader decides none. */
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
            points={points}
            reader={reader}
            deskHref={deskAt?.(mark.questionNumber)}
          />
        ))}
        <tr className="total">
          <th scope="row">
            <b>Total</b>{" "}
            {!questionMarks.every(isDecided) && (
              <span className="hint">
                {questionMarks.some(hasOpenProposal)
                  ? "in pencil until every mark is decided."
                  : "not every answer has a mark."}
              </span>
            )}
            <Choices marks={questionMarks} />
          </th>
          <td className="figures">
            <TotalMarks submission={submission} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** The rows of a question: its mark; then reason, points, second mark, comment and link, each over both columns. */
export function QuestionRows({
  mark,
  points,
  reader,
  deskHref,
}: {
  mark: QuestionMark;
  /** The points of the memos, for their words; undefined where the page has boxes for the points. */
  points?: Results["points"];
  /** Who reads the names of the people who decided; undefined to leave these names out. */
  reader?: Reader | undefined;
  /** The URL where the reader decides the mark; undefined if the reader does not. */
  deskHref?: string | undefined;
}) {
  const { questionNumber, description, totalMarks, second } = mark;
  const secondTexts = second ? quotedTexts(second) : "";
  return (
    <>
      <tr>
        <th scope="row">
          <b className="in-margin figures">{questionNumber}</b> {description}
        </th>
        <td className="figures">
          <MarkInPen mark={mark} />
          <span className="faded">
            <OutOf total={totalMarks} />
          </span>
          {mark.notAnswered && <Remark className="pen">not answered</Remark>}
          {reader && isDecided(mark) && (
            <Remark className="hint">
              <Named reader={reader}>{(one) => `by ${nameOfDecider(mark, one)}`}</Named>
            </Remark>
          )}
          {needsLook(mark) && <Remark className="look pencil">Look here first</Remark>}
        </td>
      </tr>
      <Reason mark={mark} />
      <Earned mark={mark} points={points} />
      {second && hasDifference(mark) && (
        <Below className="pencil">
          {`A second marker${reader ? `, ${nameOf({ ...second, role: "marker" }, reader)},` : ""} gave ${second.marks}${secondTexts && ` (${secondTexts})`}.`}
        </Below>
      )}
      {textsIn(mark).map((text) => (
        <Below key={text}>
          <span className="visually-hidden">Comment on the decision: </span>
          <ins className={isByHand(text) ? undefined : "plain"}>{text}</ins>
        </Below>
      ))}
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

/** A text with names of people. Paper is passed on, so it names the educator, whom the screen calls “you”. */
export const Named = ({
  reader,
  next = "",
  children: textFor,
}: {
  reader: Reader;
  /** What follows on the screen only. */
  next?: string;
  children: (reader: Reader) => string;
}) => {
  const [screen, paper] = [textFor(reader) + next, textFor(inFile(reader))];
  if (screen === paper) return screen;
  return (
    <>
      <span className="no-print">{screen}</span>
      <span className="print-only">{paper}</span>
    </>
  );
};

/** The CSS classes of a proposal's text; long text is not in handwriting. */
export const pencilClass = (text: string) => (isByHand(text) ? "pencil" : "pencil plain");

/** Which points of the memo the answer earned and which not; null if its mark does not say. */
function Earned({ mark, points }: { mark: QuestionMark; points: Results["points"] }) {
  const found = earnedPoints(mark, points);
  if (!found) return null;
  return (
    <>
      <Below>
        Earned: <ins className="plain">{found.earned.join("; ")}</ins>
      </Below>
      {found.missed.length > 0 && <Below>Not earned: {found.missed.join("; ")}</Below>}
    </>
  );
}

/** The reason of the proposal: in red once a person has taken it for the learner. */
function Reason({ mark }: { mark: QuestionMark }) {
  const { feedback, takesReason } = mark;
  if (!feedback) return null;
  if (takesReason) {
    return (
      <Below>
        <span className="visually-hidden">Reason for the learner: </span>
        <ins className={isByHand(feedback) ? undefined : "plain"}>{feedback}</ins>
      </Below>
    );
  }
  const isLeft = isDecided(mark) && reasonForLearner(mark) === "";
  return (
    <Below className={pencilClass(feedback)}>
      {isLeft && "Not for the learner: "}
      {feedback}
    </Below>
  );
}

interface RemarkProps {
  className?: string;
  children: React.ReactNode;
}

/** A row below a question's mark. */
const Below = ({ className, children }: RemarkProps) => (
  <tr className="below">
    <td colSpan={2} className={className}>
      {children}
    </td>
  </tr>
);

/** A line below a mark. */
const Remark = ({ className, children }: RemarkProps) => (
  <>
    <br />
    <span className={className}>{children}</span>
  </>
);

/** A proposal in pencil; a decision in red, beside the proposal that it agrees with or strikes out. */
function MarkInPen({ mark }: { mark: QuestionMark }) {
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
