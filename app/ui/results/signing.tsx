import { counted } from "../../domain/counted.ts";
import { formatDayOf } from "../../domain/day.ts";
import { decisionTexts } from "../../domain/decision.ts";
import type { MarkedSubmission, Results, Signature } from "../../domain/result.ts";
import { oneByOneAgreement } from "../../results/agreement.ts";
import { differencesField, noughtField } from "../../results/decision-form.ts";
import {
  countOfAnswers,
  type DecisionProgress,
  differencesText,
  type LearnerQuestions,
  learnerQuestions,
  progressOf,
  questionList,
} from "../../results/decision-progress.ts";
import { isAnyTicked, readPointsKey, sumOfTicks } from "../../results/ticks.ts";
import { readerOf, sentenceOfClass, whoDecided } from "../../results/who-decided.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import type { ReturnedDecision } from "./deciding.tsx";
import type { ResultsLinks } from "./results-urls.ts";

/** Says who has signed the marks, or that they are not signed; undefined for a sample that is not signed. */
export function signedSentence({ signed, sampleFiles }: Results): string | undefined {
  if (sampleFiles && !signed) return undefined;
  return signed
    ? `Signed by ${signed.by} on ${formatDayOf(signed.at)}. The marks are final.`
    : "Not signed yet: these marks are not final.";
}

/**
 * Says at the top of a view whether the marks are signed.
 * @param isPrinted false where each learner's slip says it on paper
 */
export function SignedNotice({ results, isPrinted }: { results: Results; isPrinted: boolean }) {
  const { signed, link } = results;
  const sentence = signedSentence(results);
  if (!sentence) return null;
  const style = signed ? "signed cluster flush" : "margin-note flush";
  return (
    <div id="signed" className={isPrinted ? style : `${style} no-print`}>
      {signed && <SignatureLine signed={signed} />}
      <p>
        {sentence}
        {link?.kind === "read" && " This is a reading copy."}
      </p>
    </div>
  );
}

/** Hidden from screen readers, because a sentence beside it names the same person. */
export const SignatureLine = ({ signed }: { signed: Signature }) => (
  <p className="signature-line pen" aria-hidden="true">
    {signed.by}
  </p>
);

export function LinkEnds({ expiresAt, deletedAt }: { expiresAt: string; deletedAt: string }) {
  return (
    <p className="hint no-print">
      {`This link works until ${formatDayOf(expiresAt)}. Your files and marks are deleted on ${formatDayOf(deletedAt)}.`}
    </p>
  );
}

/** How far decisions agree with the proposals that were decided one by one; empty if none was. */
export function agreementText(results: Results): string {
  const { n, exact, withinOne, ownMean } = oneByOneAgreement(results);
  if (n === 0) return "";
  return `Proposals decided one by one: ${n}; unchanged: ${exact}; within one mark: ${withinOne}. With each question’s mean as the proposal for all, it would be ${ownMean.exact} and ${ownMean.withinOne}`;
}

/**
 * Says why a posted form was not stored. If the page has the field, a link leads there; otherwise the notice repeats
 * what was posted.
 */
export function ReturnedNotice({
  returned: { error, typed, deskHref },
  heading = "This was not stored",
  field,
  hasQuestionsForm = false,
}: {
  returned: ReturnedDecision;
  heading?: string | undefined;
  /** Whether the page has the form for questions, which shows their lines again. */
  hasQuestionsForm?: boolean;
  /** The id of the field that is wrong; undefined if the page has no field for it. */
  field: string | undefined;
}) {
  const { question } = typed;
  const sent = sentParts(typed);
  return (
    <div role="alert" className="problem-summary sheet">
      <h2 className="term">{heading}</h2>
      {field ? (
        <ul className="field-error">
          <li>
            <a className="standalone-link" href={`#${field}`}>
              {question ? `Question ${question}: ${error}` : error}
            </a>
          </li>
        </ul>
      ) : (
        <>
          <p>{error}</p>
          {sent.length > 0 && <p className="hint">You sent: {sent.join(", ")}.</p>}
          {typed.lines && !hasQuestionsForm && (
            <textarea
              rows={6}
              readOnly
              aria-label="The questions that you sent"
              value={typed.lines}
            />
          )}
          {deskHref && (
            <p>
              <a className="standalone-link" href={deskHref}>
                Open the marking desk
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** Describes what was typed into the form of an answer, or into the form that signs. */
function sentParts(typed: ReturnedDecision["typed"]) {
  const { question, marks, notAnswered, name } = typed;
  const ticks = readPointsKey(typed);
  return [
    question && `question ${question}`,
    marks && `mark ${marks}`,
    ticks &&
      isAnyTicked(ticks.points) &&
      `ticks that add up to ${sumOfTicks(ticks.points, ticks.totalMarks)}`,
    notAnswered && "not answered",
    ...[...decisionTexts, "stampText", "ask"].map((text) => typed[text] && `“${typed[text]}”`),
    name && `the name “${name}”`,
  ].filter(Boolean);
}

/** A sentence on how the decisions differ from the proposals; "" if no proposal is decided. */
function changesOf({ decided, decidedProposals, changed, difference }: DecisionProgress): string {
  if (decidedProposals === 0) return "";
  if (changed > 0) {
    return `Different from the proposal: ${changed}, by ${difference > 0 ? "+" : ""}${counted(difference, "mark")} in sum.`;
  }
  return decidedProposals === decided
    ? "None differs from its proposal."
    : `None of the ${decidedProposals} that were proposed differs from its proposal.`;
}

/** The most learners in a list that is not folded. */
const maxUnfolded = 8;

/** What is left to decide, and the form that signs the class. */
export function SignSection({
  results,
  links,
  returned,
}: {
  results: Results;
  links: ResultsLinks;
  returned: ReturnedDecision | undefined;
}) {
  const { submissions } = results;
  const progress = progressOf(submissions);
  const { figures, undecided, unmarked, differing } = progress;
  const differences = countOfAnswers(differing);
  const typed = returned?.intent === "sign" ? returned.typed : {};
  const content = (
    <>
      <h3>Sign the marks</h3>
      <p>
        <b>{sentenceOfClass(whoDecided(submissions), readerOf(results.link))}</b>{" "}
        {changesOf(progress)}
      </p>
      <LearnersToSettle
        title={`Decide these first: ${counted(undecided.length, "learner")}`}
        submissions={submissions}
        links={links}
        learners={undecided}
      />
      <LearnersToSettle
        title={`${differencesText(differences)} to settle on the desk`}
        submissions={submissions}
        links={links}
        learners={differing}
      />
      {unmarked.map((learner) => (
        <Confirmation
          key={learner.index}
          name={noughtField(submissions[learner.index]!.learnerId!)}
          value={questionList(learner.questions)}
          typed={typed}
        >
          {labelOf(submissions, learner)}: no mark. Not answered, so 0.
        </Confirmation>
      ))}
      {undecided.length === 0 && differences > 0 && (
        <Confirmation name={differencesField} value={String(differences)} typed={typed}>
          {`${differencesText(differences)}: the first mark counts.`}
        </Confirmation>
      )}
      {undecided.length === 0 && <NameAndButton figures={figures} returned={returned} />}
    </>
  );
  const attributes = { id: "sign", className: "sign sheet no-print" };
  return undecided.length > 0 ? (
    <div {...attributes}>{content}</div>
  ) : (
    <form {...attributes} method="post" action={links.sign}>
      {content}
    </form>
  );
}

/** A checkbox. A tick that came back stays only if `value` is still the same. */
function Confirmation({
  name,
  value,
  typed,
  children,
}: {
  name: string;
  value: string;
  typed: ReturnedDecision["typed"];
  children: React.ReactNode;
}) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked={typed[name] === value} />
      {children}
    </label>
  );
}

function labelOf(submissions: MarkedSubmission[], { index, questions }: LearnerQuestions): string {
  return learnerQuestions(submissions[index]!.studentName, questions);
}

/** Learners with answers to settle, each with a link to the first of these on the desk. */
function LearnersToSettle({
  title,
  submissions,
  learners,
  links,
}: {
  title: string;
  submissions: MarkedSubmission[];
  learners: LearnerQuestions[];
  links: ResultsLinks;
}) {
  if (learners.length === 0) return null;
  const hrefOf = ({ index, questions }: LearnerQuestions) =>
    links.answer(submissions[index]!, questions[0]!);
  return (
    <details open={learners.length <= maxUnfolded}>
      <summary>{title}</summary>
      <ul>
        {learners.map((learner) => (
          <li key={learner.index}>
            <a href={hrefOf(learner)}>{labelOf(submissions, learner)}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function NameAndButton({
  figures,
  returned,
}: {
  figures: string;
  returned: ReturnedDecision | undefined;
}) {
  const { typed, field, error } = returned?.intent === "sign" ? returned : {};
  return (
    <>
      <input type="hidden" name="seen" value={figures} />
      <Field id="sign-name" label="Your name" error={field && error}>
        <input name="name" autoComplete="name" defaultValue={typed?.name} />
      </Field>
      <p className="hint">They are read-only from then on. Our team can reopen them.</p>
      <Submit className="button" value="sign">
        Sign the marks
      </Submit>
    </>
  );
}
