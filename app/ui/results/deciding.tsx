import type { QuestionMark, Results } from "../../domain/result.ts";
import { isDecided } from "../../results/class-report.ts";
import { restFields, seenFields } from "../../results/decision-form.ts";
import { hasOpenProposal, progressOf } from "../../results/decision-progress.ts";
import { noMark } from "../../results/grade.ts";

/** A form of results that was posted and is returned for correction. */
export interface ReturnedDecision {
  /** "agree", "save", "rest" or "sign". */
  intent: string;
  /** A sentence for the person. */
  error: string;
  /** What was posted. */
  typed: Record<string, string>;
  /** The mark as it is now, if it has become another since the form was made. */
  current?: QuestionMark;
}

/** How much of a learner and of the class is decided, and the button for the rest of the learner. */
export function LearnerProgress({
  results: { submissions },
  index,
  action,
}: {
  results: Results;
  index: number;
  action: string;
}) {
  const submission = submissions[index]!;
  const own = progressOf([submission]);
  const all = progressOf(submissions);
  return (
    <div id="decided" className="decided-count no-print">
      <p>
        <b>{`${own.decided} of ${own.total} decided`}</b>
        {` for this learner, ${all.decided} of ${all.total} for the class`}
      </p>
      {submission.questionMarks.some(hasOpenProposal) && (
        <form method="post" action={action}>
          <HiddenFields fields={restFields(submission)} />
          <button type="submit" className="button quiet small" name="intent" value="rest">
            Agree with the rest
          </button>
        </form>
      )}
    </div>
  );
}

/** The forms that decide one mark: agree, and change. */
export function DecisionForms({
  mark,
  action,
  returned,
}: {
  mark: QuestionMark;
  action: string;
  /** If one of the two was posted and came back. */
  returned: ReturnedDecision | undefined;
}) {
  return (
    <div className="decision">
      {hasOpenProposal(mark) && (
        <form method="post" action={action}>
          <HiddenFields fields={seenFields(mark)} />
          <button type="submit" className="button quiet small" name="intent" value="agree">
            Agree<span className="visually-hidden">, question {mark.questionNumber}</span>
          </button>
        </form>
      )}
      <details open={returned !== undefined}>
        <summary>
          {isDecided(mark) || mark.marksAwarded !== null ? "Change" : "Enter marks"}
          <span className="visually-hidden">, question {mark.questionNumber}</span>
        </summary>
        <ChangeForm mark={mark} action={action} returned={returned} />
      </details>
    </div>
  );
}

function ChangeForm({ mark, action, returned }: Parameters<typeof DecisionForms>[0]) {
  const { questionNumber, totalMarks, notAnswered, comment = "" } = mark;
  const typed = returned?.intent === "save" ? returned.typed : undefined;
  const id = `change-${questionNumber}`;
  const errorId = `${id}-error`;
  const current = notAnswered ? "" : String(mark.marksAwarded ?? "");
  return (
    <form method="post" action={action} className="change">
      <HiddenFields fields={seenFields(mark)} />
      {returned && (
        <p className="field-error" id={errorId}>
          {returned.error}
          {returned.current && ` ${sentenceOf(returned.current)}`}
        </p>
      )}
      <div className="field">
        <label htmlFor={`${id}-marks`}>Marks, of {totalMarks}</label>
        <input
          id={`${id}-marks`}
          name="marks"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={typed?.marks ?? current}
          aria-invalid={returned ? true : undefined}
          aria-describedby={returned ? errorId : undefined}
        />
      </div>
      <label className="choice">
        <input
          type="checkbox"
          name="notAnswered"
          defaultChecked={typed ? "notAnswered" in typed : notAnswered}
        />
        Not answered
      </label>
      <div className="field">
        <label htmlFor={`${id}-comment`}>Comment for the learner</label>
        <textarea
          id={`${id}-comment`}
          name="comment"
          rows={2}
          defaultValue={typed?.comment ?? comment}
        />
      </div>
      <button type="submit" className="button small" name="intent" value="save">
        Save<span className="visually-hidden"> question {questionNumber}</span>
      </button>
    </form>
  );
}

/** What a mark has become since a form was made. */
function sentenceOf({ marksAwarded, notAnswered, comment, decision }: QuestionMark): string {
  const marks = notAnswered ? "not answered" : (marksAwarded ?? noMark);
  const by = decision ? `${decision.by} has decided: ${marks}` : `The proposal is now ${marks}`;
  return `${by}${comment ? ` (“${comment}”)` : ""}. Save to put yours in its place, or leave it.`;
}

function HiddenFields({ fields }: { fields: Record<string, string> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}
