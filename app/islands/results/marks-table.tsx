import type { MarkedSubmission } from "../../domain/result.ts";
import { maxMarks } from "../../results/grade.ts";

export function MarksTable({ submission }: { submission: MarkedSubmission }) {
  return (
    <table className="marks">
      <caption className="visually-hidden">Marks by question: {submission.studentName}</caption>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Marks</th>
        </tr>
      </thead>
      <tbody>
        {submission.questionMarks.map(
          ({ questionNumber, description, totalMarks, marksAwarded, feedback }) => (
            <tr key={questionNumber}>
              <th scope="row">
                <b className="number figures">{questionNumber}</b> {description}
                {feedback && <span className="pen">{feedback}</span>}
              </th>
              <td className="figures">
                <b>{marksAwarded}</b>/{totalMarks}
              </td>
            </tr>
          ),
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="figures">
            <b>{marksOf(submission)}</b>/{maxMarks}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

export const marksOf = ({ questionMarks }: MarkedSubmission): number =>
  questionMarks.reduce((sum, { marksAwarded }) => sum + marksAwarded, 0);
