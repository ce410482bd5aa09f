import type { AnswerKey, Desk, MarkDraft, MarkingOrder, ShownFile } from "../../domain/desk.ts";
import type { QuestionMark } from "../../domain/result.ts";
import {
  HiddenFields,
  type ReturnedDecision,
  sentenceOf,
} from "../../islands/results/view/deciding.tsx";
import { QuestionRows } from "../../islands/results/view/marks-table.tsx";
import { isDecided } from "../../results/class-report.ts";
import { seenFields } from "../../results/decision-form.ts";
import { hasOpenProposal } from "../../results/decision-progress.ts";
import { type DeskLinks, learnerLabel } from "./desk-urls.ts";
import { Work } from "./work.tsx";

interface AnswerProps {
  desk: Desk;
  answer: AnswerKey;
  order: MarkingOrder;
  work: ShownFile[];
  links: DeskLinks;
  /** If a form of this answer was posted and came back. */
  returned: ReturnedDecision | undefined;
}

/** One answer: the learner's work, and beside it the question with the form that decides its mark. */
export function Answer({ desk, answer, order, work, links, returned }: AnswerProps) {
  const learner = desk.learners.find(({ id }) => id === answer.learnerId)!;
  const isSame = (one: AnswerKey) =>
    one.learnerId === answer.learnerId && one.questionNumber === answer.questionNumber;
  const mark = learner.marks.find((one) => one.questionNumber === answer.questionNumber)!;
  const { memo } = desk.questions.find((one) => one.questionNumber === answer.questionNumber)!;
  const elsewhere = desk.openElsewhere.filter(isSame).map(({ marker }) => marker);
  const draft = desk.drafts.find(isSame);
  const action = links.answer(answer, order);
  return (
    <>
      <h2 id="answer" tabIndex={-1}>
        {learnerLabel(learner)}, question {mark.questionNumber}
      </h2>
      <p className="hint no-print">
        {learner.noGrade && `This learner is ${learner.noGrade} and gets no grade. `}
        {elsewhere.length > 0 && `${elsewhere.join(", ")} has this open too. `}
        <a href={`#${marksField}`}>Skip to the mark</a>
      </p>
      <div className="answer-view">
        <Work learner={learner} work={work} links={links} />
        <div className="answer sheet">
          <table className="marks">
            <caption className="visually-hidden">The mark and how it came about</caption>
            <tbody>
              <QuestionRows mark={mark} />
            </tbody>
          </table>
          {memo && (
            <p>
              <b>Memo:</b> {memo}
            </p>
          )}
          {!desk.signed && (
            <>
              {hasOpenProposal(mark) && <AgreeForm mark={mark} action={action} />}
              <MarkForm {...{ mark, action, returned, draft }} />
            </>
          )}
          <p className="actions no-print">
            <a className="next" href={links.next(order, answer)}>
              Next, without deciding
            </a>
            <a href={links.next(order === "question" ? "learner" : "question", answer)}>
              {order === "question"
                ? "Go on with this learner’s other questions"
                : "Go on with this question of the other learners"}
            </a>
          </p>
        </div>
      </div>
    </>
  );
}

function AgreeForm({ mark, action }: { mark: QuestionMark; action: string }) {
  return (
    <form method="post" action={action} className="agree no-print">
      <HiddenFields fields={seenFields(mark)} />
      <button type="submit" className="button quiet small" name="intent" value="agree">
        Agree with {mark.marksAwarded} and go on
      </button>
    </form>
  );
}

/** The id of the field for the marks. */
export const marksField = "marks";

interface MarkFormProps {
  mark: QuestionMark;
  action: string;
  returned: ReturnedDecision | undefined;
  /** What was typed before and not saved. */
  draft: MarkDraft | undefined;
}

function MarkForm({ mark, action, returned, draft }: MarkFormProps) {
  const { totalMarks } = mark;
  const decided = isDecided(mark) && !mark.notAnswered ? String(mark.marksAwarded) : "";
  const before = { marks: decided, comment: mark.comment ?? "", notAnswered: mark.notAnswered };
  const typed = returned?.intent === "save" ? returned.typed : (draft ?? before);
  return (
    <form method="post" action={action} className="mark-form no-print">
      <HiddenFields fields={seenFields(mark)} />
      {returned ? (
        <p className="field-error" id="marks-error">
          {returned.error}
          {returned.current && ` ${sentenceOf(returned.current)}`}
        </p>
      ) : (
        draft && <p className="hint">You typed this before and have not saved it.</p>
      )}
      <div className="mark-bar">
        <label htmlFor={marksField}>Marks, of {totalMarks}</label>
        <input
          id={marksField}
          name="marks"
          inputMode="decimal"
          autoComplete="off"
          data-total={totalMarks}
          defaultValue={typed.marks}
          aria-invalid={returned ? true : undefined}
          aria-describedby={returned ? "marks-error answer" : "answer"}
        />
        <button type="submit" className="button small" name="intent" value="save">
          Save and next
        </button>
      </div>
      <label className="choice">
        <input
          type="checkbox"
          name="notAnswered"
          defaultChecked={"notAnswered" in typed && Boolean(typed.notAnswered)}
        />
        Not answered
      </label>
      <div className="field">
        <label htmlFor="comment">Comment for the learner (optional)</label>
        <textarea id="comment" name="comment" rows={2} defaultValue={typed.comment} />
      </div>
    </form>
  );
}
