import type { MarkedSubmission } from "../../domain/result.ts";
import { LearnerGrade, TotalMarks } from "../../islands/results/learner-grade.tsx";
import { QuestionRows } from "../../islands/results/marks-table.tsx";
import { sortedIndexes } from "../../results/class-report.ts";
import { type LevelScale, sumOf } from "../../results/grade.ts";

/** A slip for each learner, to print and hand out: nothing on it is of another learner. */
export function Slips({
  title,
  submissions,
  perPage,
  levels,
  signedSentence,
}: {
  title: string;
  submissions: MarkedSubmission[];
  perPage: 1 | 2;
  levels: LevelScale;
  /** Who has signed the marks, or that they are not signed; undefined for the sample. */
  signedSentence: string | undefined;
}) {
  return (
    <div className={perPage === 2 ? "slips two" : "slips"}>
      {sortedIndexes(submissions, "name").map((index) => (
        <Slip
          key={index}
          id={`learner-${index + 1}`}
          title={title}
          submission={submissions[index]!}
          levels={levels}
          signedSentence={signedSentence}
        />
      ))}
    </div>
  );
}

/** The head of the table has the learner's name, and is repeated if a slip needs a second page. */
function Slip({
  id,
  title,
  submission,
  levels,
  signedSentence,
}: {
  id: string;
  title: string;
  submission: MarkedSubmission;
  levels: LevelScale;
  signedSentence: string | undefined;
}) {
  const { studentName, feedback, questionMarks } = submission;
  return (
    <div className="slip" id={id}>
      <table className="marks">
        <thead>
          <tr>
            <th scope="col">
              <b className="slip-name">{studentName}</b>
              {title}
            </th>
            <th scope="col">
              <span className="visually-hidden">Marks</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td colSpan={2}>
              <LearnerGrade submission={submission} levels={levels} />
              {feedback && <p className="feedback">{feedback}</p>}
            </td>
          </tr>
          {/* Learners get the slips; what the model is unsure of is for the person who checks. */}
          {questionMarks.map(({ unsure: _, ...mark }) => (
            <QuestionRows key={mark.questionNumber} mark={mark} />
          ))}
          <tr className="total">
            <th scope="row">Total</th>
            <td className="figures">
              <TotalMarks marks={sumOf(questionMarks)} />
            </td>
          </tr>
          <tr>
            <td colSpan={2} className="hint">
              {signedSentence && `${signedSentence} `}
              <span className="to-fill">Checked by ____________________</span>{" "}
              <span className="to-fill">Query? ____________________</span>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
