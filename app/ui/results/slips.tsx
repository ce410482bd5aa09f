import { Fragment } from "react";
import { formatDayOf } from "../../domain/day.ts";
import { listedNumber, type MarkedSubmission, type Results } from "../../domain/result.ts";
import { feedbackForLearner, markForLearner } from "../../results/apply-decision.ts";
import { sortedIndexes } from "../../results/class-report.ts";
import type { LevelScale } from "../../results/grade.ts";
import { sentenceOfLearner } from "../../results/who-decided.ts";
import { InPieces } from "../in-pieces.tsx";
import { Choices, LearnerGrade, TotalMarks } from "./learner-grade.tsx";
import { QuestionRows } from "./marks-table.tsx";
import type { ResultsLinks } from "./results-urls.ts";
import { SignatureLine, signedSentence } from "./signing.tsx";

export interface SlipsProps {
  results: Results;
  perPage: 1 | 2;
  levels: LevelScale;
  /** The address that learners' queries go to; null if the brand has none. */
  contact: string | null;
  /** Whether the script is printed behind each slip. */
  withScripts: boolean;
  /** Whether any page of a script can be shown. */
  hasScripts: boolean;
  links: ResultsLinks;
  /** Renders the pages of a script. @param index position in the class, from 0 */
  renderScript: (index: number) => React.ReactNode;
}

/** A slip for each learner, to print and hand out: nothing on it is of another learner. */
export function Slips(props: SlipsProps) {
  const { submissions } = props.results;
  return (
    <>
      <SlipsHead {...props} />
      <div className={props.perPage === 2 ? "slips two" : "slips"}>
        <InPieces
          of={sortedIndexes(submissions, "name")}
          questions={submissions[0]!.questionMarks.length}
        >
          {(index) => (
            <Fragment key={index}>
              <Slip {...props} submission={submissions[index]!} />
              {props.withScripts && props.renderScript(index)}
            </Fragment>
          )}
        </InPieces>
      </div>
    </>
  );
}

function SlipsHead({ results, perPage, withScripts, hasScripts, links }: SlipsProps) {
  return (
    <div className="no-print">
      <h2>Feedback slips: {results.title}</h2>
      <p>
        Print this page: {perPage === 1 ? "one learner" : "two learners"} to a page. Switch off
        “Headers and footers” in the print dialog, because the address of this page, which some
        browsers print there, opens the marks of the whole class.
      </p>
      <p className="actions">
        <a href={links.classPage}>Back to the class</a>
        {perPage === 1 ? (
          <a href={links.slips(2)}>Two to a page</a>
        ) : (
          <a href={links.slips(1)}>One to a page</a>
        )}
        {hasScripts && !withScripts && (
          <a href={links.slipsWithScripts}>With the pages of each script</a>
        )}
      </p>
    </div>
  );
}

function Slip({
  results,
  submission: { questionMarks: allMarks, ...learner },
  levels,
  contact,
}: SlipsProps & { submission: MarkedSubmission }) {
  const { learnerId } = learner;
  // Slips are for learners, so leave out the model's doubts and a second marker's mark.
  const questionMarks = allMarks.map(({ unsure: _, second: __, ...mark }) => markForLearner(mark));
  const submission = { ...learner, questionMarks };
  const feedback = feedbackForLearner(submission, results.signed !== undefined);
  return (
    <div className="feedback-slip sheet" id={`learner-${learnerId}`}>
      <table className="marks">
        <SlipHead results={results} submission={submission} />
        <tbody>
          <tr>
            <td colSpan={2} className="flush">
              <LearnerGrade submission={submission} levels={levels} />
              {feedback && <p>{feedback}</p>}
            </td>
          </tr>
          {questionMarks.map((mark) => (
            <QuestionRows key={mark.questionNumber} mark={mark} points={results.points} />
          ))}
          <tr className="total">
            <th scope="row">
              <b>Total</b>
              <Choices marks={questionMarks} />
            </th>
            <td className="figures">
              <TotalMarks submission={submission} />
            </td>
          </tr>
          <tr>
            <td colSpan={2}>
              <div className="signed cluster flush">
                <p>{howToQuery(results, contact)}</p>
                {results.signed && <SignatureLine signed={results.signed} />}
              </div>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** The head of the table: browsers repeat it if a slip needs a second page. */
function SlipHead({ results, submission }: { results: Results; submission: MarkedSubmission }) {
  const number = listedNumber(submission);
  return (
    <thead>
      <tr>
        <th scope="col">
          <b className="slip-name">{submission.studentName}</b>
          {number !== undefined && (
            <>
              Number {number}
              <br />
            </>
          )}
          {results.title}
          <br />
          {[aboutOf(results), !results.sampleFiles && sentenceOfLearner(submission)]
            .filter(Boolean)
            .join(" ")}
        </th>
        <th scope="col">
          <span className="visually-hidden">Marks</span>
        </th>
      </tr>
    </thead>
  );
}

/** Says who sent the work and when, and whether the marks are signed. */
function aboutOf(results: Results): string {
  const { link, sampleFiles } = results;
  if (sampleFiles) return "Sample – fictitious. In red: decided by a person.";
  const sent = link && `Sent by ${link.sender}, ${formatDayOf(link.receivedAt)}. `;
  return `${sent ?? ""}${signedSentence(results)}`;
}

function howToQuery({ link, signed, sampleFiles }: Results, contact: string | null): string {
  if (sampleFiles) {
    return "To query a mark: a slip of your own names an address and a reference here. Say which question.";
  }
  const person = signed?.by ?? link?.sender;
  const ask = [person && `ask ${person}`, contact && `write to ${contact}`].filter(Boolean);
  const reference = link ? `, reference ${link.reference}` : "";
  return `To query a mark: ${ask.join(", or ") || "ask your educator"}${reference}. Say which question.`;
}
