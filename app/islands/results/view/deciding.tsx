import type { QuestionMark, Results } from "../../../domain/result.ts";
import { isDecided } from "../../../results/class-report.ts";
import { restFields, seenFields } from "../../../results/decision-form.ts";
import { hasOpenProposal, progressOf } from "../../../results/decision-progress.ts";
import { noMark } from "../../../results/grade.ts";

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

/** How much of a learner and of the class is decided, the button for the rest of the learner, and the next one. */
export function LearnerProgress({
  results: { submissions },
  index,
  action,
  next,
}: {
  results: Results;
  index: number;
  action: string;
  /** The page of the next learner; undefined for the last one. */
  next: string | undefined;
}) {
  const submission = submissions[index]!;
  const own = progressOf([submission]);
  const all = progressOf(submissions);
  return (
    <div id="decided" className="decided-count cluster flush no-print">
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
      {next && (
        <a className="button quiet small" href={next}>
          Next learner
        </a>
      )}
    </div>
  );
}

/** The id of the field for the marks of a question. @param question position in the paper, from 0 */
export const marksFieldId = (question: number) => `q${question + 1}-marks`;

interface DecisionFormsProps {
  mark: QuestionMark;
  /** Position in the paper, from 0. */
  question: number;
  action: string;
  /** If one of the two forms was posted and came back. */
  returned: ReturnedDecision | undefined;
}

/** The forms that decide one mark: agree, and change. */
export function DecisionForms({ mark, question, action, returned }: DecisionFormsProps) {
  const { questionNumber, marksAwarded } = mark;
  const name = <span className="visually-hidden">, question {questionNumber}</span>;
  const again = isDecided(mark) ? "Change again" : marksAwarded === null ? "Enter marks" : "Change";
  return (
    <div className="decision cluster">
      {hasOpenProposal(mark) && (
        <form method="post" action={action}>
          <HiddenFields fields={seenFields(mark)} />
          <button type="submit" className="button quiet small" name="intent" value="agree">
            Agree{name}
          </button>
        </form>
      )}
      <details open={returned !== undefined}>
        <summary className={isDecided(mark) ? "hint" : "button quiet small"}>
          {again}
          {name}
        </summary>
        <ChangeForm {...{ mark, question, action, returned }} />
      </details>
    </div>
  );
}

function ChangeForm({ mark, question, action, returned }: DecisionFormsProps) {
  const { questionNumber, totalMarks, notAnswered, comment = "" } = mark;
  const typed = returned?.typed;
  const marksId = marksFieldId(question);
  const errorId = `${marksId}-error`;
  const commentId = `q${question + 1}-comment`;
  const current = notAnswered ? "" : String(mark.marksAwarded ?? "");
  return (
    <form method="post" action={action} className="change sheet">
      <HiddenFields fields={seenFields(mark)} />
      <div className="field">
        <label htmlFor={marksId}>Marks, of {totalMarks}</label>
        {returned && (
          <p className="field-error" id={errorId}>
            {returned.error}
            {returned.current && ` ${sentenceOf(returned.current)}`}
          </p>
        )}
        <input
          id={marksId}
          name="marks"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={typed?.marks ?? current}
          aria-invalid={returned ? true : undefined}
          aria-describedby={returned ? errorId : undefined}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          name="notAnswered"
          defaultChecked={typed ? "notAnswered" in typed : notAnswered}
        />
        Not answered
      </label>
      <div className="field">
        <label htmlFor={commentId}>Comment for the learner</label>
        <textarea id={commentId} name="comment" rows={2} defaultValue={typed?.comment ?? comment} />
      </div>
      <button type="submit" className="button small" name="intent" value="save">
        Save<span className="visually-hidden"> question {questionNumber}</span>
      </button>
    </form>
  );
}

/** What a mark has become since a form was made. */
export function sentenceOf({ marksAwarded, notAnswered, comment, decision }: QuestionMark): string {
  const marks = notAnswered ? "not answered" : (marksAwarded ?? noMark);
  const by = decision ? `${decision.by} has decided: ${marks}` : `The proposal is now ${marks}`;
  return `${by}${comment ? ` (“${comment}”)` : ""}. Save to put yours in its place, or leave it.`;
}

export function HiddenFields({ fields }: { fields: Record<string, string> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}
