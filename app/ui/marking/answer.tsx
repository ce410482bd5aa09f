import {
  type DecisionTexts,
  decisionFields,
  decisionTexts,
  type TypedDecision,
} from "../../domain/decision.ts";
import {
  type AnswerKey,
  type DeskAnswer,
  type DeskLink,
  opensProblems,
  type ShownFile,
} from "../../domain/desk.ts";
import { askIntent, maxAsked } from "../../domain/lead-question.ts";
import type { MemoPoint } from "../../domain/memo-point.ts";
import type { QuestionMark } from "../../domain/result.ts";
import { isDecided } from "../../results/class-report.ts";
import {
  restFields,
  seenFields,
  type TypedFields,
  typedBefore,
  typedIn,
  withoutReason,
  withoutReasons,
} from "../../results/decision-form.ts";
import { hasOpenProposal } from "../../results/decision-progress.ts";
import { pagesOf, stampIntent, stampKindOf } from "../../results/stamp-form.ts";
import { pointsKey, pointsTicked, sumOfTicks, tickField } from "../../results/ticks.ts";
import type { WrongField } from "../../results/typed-decision.ts";
import { readerAtDesk } from "../../results/who-decided.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import { HiddenInputs, type ReturnedDecision, sentenceOf } from "../results/deciding.tsx";
import { QuestionRows } from "../results/marks-table.tsx";
import { LearnerWork } from "../script/work.tsx";
import {
  answerLabel,
  type DeskLinks,
  learnerLabel,
  readPage,
  type ShownAnswer,
} from "./desk-urls.ts";
import { StampTools } from "./stamp-tools.tsx";

interface AnswerProps {
  answer: DeskAnswer;
  shown: ShownAnswer;
  links: DeskLinks;
  /** The form of this answer, if it was posted and came back. */
  returned: ReturnedDecision | undefined;
  /** Whether this is the sample, which has no stamps. */
  isSample: boolean;
}

/** One answer: the learner's work, and beside it the question with the forms that decide its mark. */
export function Answer(props: AnswerProps) {
  const { head, learner, question, mark, work, elsewhere } = props.answer;
  const { isZoomed, page } = props.shown;
  const isSigned = head.signed !== undefined;
  const mayBeAbsent = !head.link.isEducators && !learner.noGrade && !learner.absenceReportedBy;
  return (
    <>
      <AnswerHead learner={learner} mark={mark} elsewhere={elsewhere} isSigned={isSigned} />
      <div className="answer-view">
        {/* Enter in a field presses the first button of the form: this one, so that Enter places no stamp. */}
        {!isSigned && (
          <button type="submit" form={markForm} name="intent" value="save" hidden>
            Save and next
          </button>
        )}
        <LearnerWork
          label={learnerLabel(learner)}
          work={work}
          links={props.links}
          question={question.questionNumber}
          tools={
            isSigned || props.isSample ? undefined : { form: markForm, isZoomed, page, mayBeAbsent }
          }
        />
        <AnswerSheet {...props} />
      </div>
    </>
  );
}

/** The question, what is known about its answer, and the forms that decide the mark. */
function AnswerSheet(props: AnswerProps) {
  const { head, question, mark, asked, draft } = props.answer;
  const { memo, memoPoints = [] } = question;
  const isSigned = head.signed !== undefined;
  const reader = opensProblems(head.link) ? readerAtDesk(head.link) : undefined;
  return (
    <div className="answer sheet">
      <table className="marks">
        <caption className="visually-hidden">The mark and how it came about</caption>
        <tbody>
          <QuestionRows mark={mark} reader={reader} />
        </tbody>
      </table>
      {memo && (isSigned || props.isSample || memoPoints.length === 0) && (
        <p className={props.isSample && memoPoints.length > 0 ? "without-script" : undefined}>
          <b>Memo:</b> {memo}
        </p>
      )}
      {asked && (
        <p id={askIntent}>
          <b>You asked the lead:</b> {asked.text} <b>The lead:</b> {asked.reply ?? "no reply yet."}
          {draft?.askText && ` Not sent: “${draft.askText}”`}
        </p>
      )}
      {!isSigned && <MarkForm {...props} />}
      <AnswerLinks {...props} />
    </div>
  );
}

function AnswerHead({
  learner,
  mark,
  elsewhere,
  isSigned,
}: Pick<DeskAnswer, "learner" | "mark" | "elsewhere"> & { isSigned: boolean }) {
  return (
    <div className="cluster flush">
      <h2 id="answer" tabIndex={-1}>
        {answerLabel(learner, mark.questionNumber)}
      </h2>
      {/* Small screens have the question far below the work, so they repeat it here, hidden from screen readers. */}
      <p className="question-first no-print" aria-hidden="true">
        {mark.description} {isDecided(mark) && <ins>decided:&nbsp;{mark.marksAwarded}</ins>}
        {hasOpenProposal(mark) && (
          <span className="pencil">proposed:&nbsp;{mark.marksAwarded}</span>
        )}
      </p>
      <p className="hint no-print">
        {learner.noGrade && `This learner is ${learner.noGrade} and gets no grade. `}
        {learner.absenceReportedBy &&
          `${learner.absenceReportedBy} says that this learner was absent. `}
        {elsewhere.length > 0 && `${elsewhere.join(", ")} has this open too. `}
        {!isSigned && (
          <a className="standalone-link" href={`#${marksField}`}>
            Skip to the mark
          </a>
        )}
      </p>
    </div>
  );
}

const keyOf = ({ learner, question }: DeskAnswer): AnswerKey => ({
  learnerId: learner.id,
  questionNumber: question.questionNumber,
});

function AnswerLinks({ answer, links, shown: { order, page } }: AnswerProps) {
  const key = keyOf(answer);
  return (
    <p className="actions no-print">
      <a className="next" href={links.next(order, key, page)}>
        Next, without deciding
      </a>
      {answer.before && (
        <a className="before" href={links.answer(answer.before, { order, page })}>
          The answer before
        </a>
      )}
      <a href={links.paper} target="_blank" rel="noreferrer">
        Question paper and memo
      </a>
      <a href={links.next(order === "question" ? "learner" : "question", key)}>
        {order === "question"
          ? "Go on with this learner’s other questions"
          : "Go on with this question of the other learners"}
      </a>
    </p>
  );
}

type Typed = Record<string, string>;

/** A button that agrees with the proposal. It posts the form that decides, so a typed comment is stored too. */
function Agree({ mark, leavesOutReason }: { mark: QuestionMark; leavesOutReason: boolean }) {
  return (
    <div className="agree">
      <Submit value="agree">Agree with {mark.marksAwarded} and go on</Submit>
      {mark.feedback && (
        <WithoutReason name={withoutReason} label="Without the reason" isTicked={leavesOutReason}>
          The learner will read the reason above, unless you leave it out. A mark that you type goes
          without it.
        </WithoutReason>
      )}
    </div>
  );
}

/** A checkbox to keep the reason of a proposal from the learner. */
function WithoutReason({
  name,
  label,
  isTicked,
  children,
}: {
  name: string;
  label: string;
  isTicked: boolean;
  children: React.ReactNode;
}) {
  return (
    <>
      <label className="check">
        <input type="checkbox" name={name} defaultChecked={isTicked} />
        {label}
      </label>
      <p className="hint">{children}</p>
    </>
  );
}

/**
 * Lists the open proposals of a learner, with a button that agrees with all of them. It posts the form of the answer,
 * so what is typed there comes back.
 */
function AgreeWithRest({
  marks,
  leavesOutReasons,
}: {
  marks: QuestionMark[];
  leavesOutReasons: boolean;
}) {
  const rest = marks.filter(hasOpenProposal);
  // A single open proposal is agreed with on the page of its answer, by Agree.
  if (rest.length < 2) return null;
  return (
    <div className="rest">
      <HiddenInputs fields={restFields(rest)} />
      <p className="hint">
        {`Left of this learner, with the marks that are proposed: ${rest
          .map(
            ({ questionNumber, marksAwarded, totalMarks, feedback }) =>
              `question ${questionNumber}, ${marksAwarded} of ${totalMarks}${feedback ? ` (“${feedback}”)` : ""}`,
          )
          .join("; ")}.`}
      </p>
      <Submit value="rest">Agree with the rest of this learner</Submit>
      {rest.some(({ feedback }) => feedback) && (
        <WithoutReason
          name={withoutReasons}
          label="Without the reasons"
          isTicked={leavesOutReasons}
        >
          The learner will read the reasons, unless you leave them out.
        </WithoutReason>
      )}
    </div>
  );
}

/** The ids of the form that decides the mark and places stamps, and of its field for the marks. */
const markForm = "mark-form";
export const marksField = "marks";

const textLabels: DecisionTexts = { comment: "Comment for the learner (optional)" };

function MarkForm({ answer, shown, links, returned, isSample }: AnswerProps) {
  const { head, question, mark, asked } = answer;
  const { order, page, isZoomed } = shown;
  const { totalMarks } = mark;
  const typed = returned?.typed;
  const { fields, isDraft } = shownFields(answer, typed);
  const work = isSample ? [] : answer.work;
  const errorOf = (field: WrongField) => (returned?.field === field ? returned.error : undefined);
  const isStamp = returned?.intent === stampIntent;
  const askError = returned?.intent === askIntent ? returned.error : undefined;
  // The error of another field is shown beside that field.
  const rejected = isStamp || askError || decisionTexts.some(errorOf) ? undefined : returned;
  return (
    <form
      method="post"
      action={links.answer(keyOf(answer), { order, page, isZoomed })}
      id={markForm}
      className="mark-form no-print"
    >
      <HiddenInputs fields={seenFields(mark)} />
      {hasOpenProposal(mark) && <Agree mark={mark} leavesOutReason={fields.withoutReason} />}
      <MarkNote mark={mark} link={head.link} rejected={rejected} isDraft={isDraft} />
      <PointBoxes points={question.memoPoints ?? []} totalMarks={totalMarks} ticks={fields.ticks} />
      <MarkBar totalMarks={totalMarks} marks={fields.marks} hasError={rejected !== undefined} />
      <label className="check">
        <input type="checkbox" name="notAnswered" defaultChecked={fields.notAnswered} />
        Not answered
      </label>
      {mark.takesReason && mark.feedback && (
        <WithoutReason
          name={withoutReason}
          label="Without the reason"
          isTicked={fields.withoutReason}
        >
          The learner reads the reason above. Saving another mark or comment leaves it out too.
        </WithoutReason>
      )}
      {decisionTexts.map((name) => (
        <Field key={name} id={name} label={textLabels[name]} error={errorOf(name)}>
          <textarea name={name} rows={2} defaultValue={fields[name]} />
        </Field>
      ))}
      <UsedComments comments={answer.usedComments} />
      <FirstPage work={work} page={typed?.from === undefined ? page : readPage(typed.from)} />
      <StampTools
        work={work}
        stamp={typed?.stamp === undefined ? shown.stamp : stampKindOf(typed.stamp)}
        typed={{ ...typed, stampText: fields.stampText }}
        errorOf={isStamp ? errorOf : undefined}
      />
      {!isSample && !head.link.isEducators && !asked && (
        <AskLead text={fields.askText} error={askError} />
      )}
      <AgreeWithRest
        marks={answer.learnerMarks}
        leavesOutReasons={typed ? withoutReasons in typed : shown.withoutReasons}
      />
    </form>
  );
}

/** Returns what the fields show: what came back, otherwise the draft, otherwise the decision. */
function shownFields(
  { mark, question, draft }: DeskAnswer,
  returned: Typed | undefined,
): { fields: TypedFields; isDraft: boolean } {
  // A draft with nothing but the text of a stamp, or of a question to the lead, is no draft of a mark.
  const isDraft = draft !== undefined && decisionFields.some((name) => draft[name]);
  if (returned) return { fields: typedIn(returned), isDraft };
  const { stampText = "", askText = "" } = draft ?? {};
  const decision = isDraft ? draft : decidedBefore(mark, question.memoPoints ?? []);
  return { fields: { ...decision, stampText, askText }, isDraft };
}

/** Says why the form came back, or that it shows a draft. */
function MarkNote({
  mark,
  link,
  rejected,
  isDraft,
}: {
  mark: QuestionMark;
  link: DeskLink;
  rejected: ReturnedDecision | undefined;
  isDraft: boolean;
}) {
  if (rejected) {
    return (
      <p className="field-error" id="marks-error">
        {rejected.error}
        {rejected.current && ` ${sentenceOf(rejected.current, readerAtDesk(link))}`}
      </p>
    );
  }
  if (!isDraft) return null;
  return (
    <p className="hint">
      You typed this before and have not saved it.
      {isDecided(mark) && ` ${mark.notAnswered ? "“Not answered”" : mark.marksAwarded} is stored.`}
    </p>
  );
}

function MarkBar({
  totalMarks,
  marks,
  hasError,
}: {
  totalMarks: number;
  marks: string;
  hasError: boolean;
}) {
  return (
    <div className="mark-bar cluster">
      <label htmlFor={marksField}>Marks, of {totalMarks}</label>
      <input
        id={marksField}
        name="marks"
        inputMode="decimal"
        autoComplete="off"
        data-total={totalMarks}
        defaultValue={marks}
        aria-invalid={hasError ? true : undefined}
        aria-describedby={hasError ? "marks-error answer" : "answer"}
      />
      <Submit className="button small" value="save">
        Save and next
      </Submit>
    </div>
  );
}

/** Asks the lead about the answer, beside a mark or without one. */
function AskLead({ text, error }: { text: string; error: string | undefined }) {
  return (
    <details open={text !== "" || error !== undefined}>
      <summary>Ask the lead</summary>
      <Field
        id={askIntent}
        label="Question to the lead"
        hint="The reply stands here. “Save and next” and “Agree” send the question too. No learner reads it."
        error={error}
      >
        <textarea name={askIntent} rows={2} maxLength={maxAsked} defaultValue={text} />
      </Field>
      <Submit value={askIntent}>Ask</Submit>
    </details>
  );
}

/**
 * The fields as a decision fills them in. The marks field has the mark, unless the ticks add up to the mark with the
 * points as they are now.
 */
function decidedBefore(mark: QuestionMark, points: MemoPoint[]): TypedDecision {
  const typed = typedBefore(mark);
  const shown = pointsTicked(points, typed.ticks);
  const isSame = sumOfTicks(shown, mark.totalMarks) === mark.marksAwarded;
  return typed.marks === "" && typed.ticks !== "" && !isSame
    ? { ...typed, marks: String(mark.marksAwarded) }
    : typed;
}

/** Boxes to tick the points of the memo that the answer has. If no mark is typed, the sum of the ticks is the mark. */
function PointBoxes({
  points,
  totalMarks,
  ticks,
}: {
  points: MemoPoint[];
  totalMarks: number;
  ticks: string;
}) {
  if (points.length === 0) return null;
  return (
    <fieldset className="memo-points">
      <legend>
        Memo <span className="hint">{`– ticks add up, to ${totalMarks} at most`}</span>
      </legend>
      <input type="hidden" name="points" value={pointsKey(totalMarks, points)} />
      {pointsTicked(points, ticks).map(({ id, text, worth, isTicked }) => (
        <label key={id} className="check">
          <input
            type="checkbox"
            name={tickField(id)}
            data-worth={worth}
            defaultChecked={isTicked}
          />
          <span>
            {text} <b className="figures">({worth})</b>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Chooses the page at which the next learner's work is opened. With script, the desk remembers the page by itself. */
function FirstPage({ work, page }: { work: ShownFile[]; page: number | null }) {
  const pages = pagesOf(work).length;
  if (pages < 2 && page === null) return null;
  const last = Math.max(pages, page ?? 0);
  return (
    <div className="field without-script">
      <label htmlFor="from">Open the next script at page</label>
      <select id="from" name="from" defaultValue={page ?? ""}>
        <option value="">1, from the top</option>
        {Array.from({ length: last }, (_, index) => (
          <option key={index} value={index + 1}>
            {index + 1}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Buttons that add a comment to the field, without deciding. */
function UsedComments({ comments }: { comments: string[] }) {
  if (comments.length === 0) return null;
  return (
    <details className="used-comments">
      <summary>Comments used before on this question</summary>
      {comments.map((comment) => (
        <Submit key={comment} className="link" name="use" value={comment}>
          {comment}
        </Submit>
      ))}
    </details>
  );
}
