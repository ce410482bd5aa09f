import type { MarkedSubmission } from "../../domain/result.ts";
import { sumOf } from "../../results/grade.ts";
import { TotalMarks } from "./learner-grade.tsx";

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
            <TotalMarks marks={sumOf(submission.questionMarks)} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
