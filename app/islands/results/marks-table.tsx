import type { MarkedSubmission, QuestionMark } from "../../domain/result.ts";
import { formatMarks, sumOf } from "../../results/grade.ts";
import { TotalMarks } from "./learner-grade.tsx";

/** The class beside one learner. */
interface ClassAverages {
  /** Average marks by question, in the order of the paper. */
  marks: number[];
  /** The average grade, as it is shown. */
  grade: string;
}

/** @param average undefined if there is no class to compare with */
export function MarksTable({
  submission: { studentName, questionMarks },
  average,
}: {
  submission: MarkedSubmission;
  average: ClassAverages | undefined;
}) {
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
        {questionMarks.map((mark, index) => (
          <QuestionRows
            key={mark.questionNumber}
            mark={mark}
            average={average && formatMarks(average.marks[index]!)}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="figures">
            <TotalMarks marks={sumOf(questionMarks)} />
            {average && <ClassAverage>{average.grade}%</ClassAverage>}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** A question's mark, and in a row of its own, which has more room, the feedback. */
export function QuestionRows({
  mark: { questionNumber, description, totalMarks, marksAwarded, feedback },
  average,
}: {
  mark: QuestionMark;
  average?: string | undefined;
}) {
  return (
    <>
      <tr>
        <th scope="row">
          <b className="number figures">{questionNumber}</b> {description}
        </th>
        <td className="figures">
          <b>{marksAwarded}</b>/{totalMarks}
          {average && <ClassAverage>{average}</ClassAverage>}
        </td>
      </tr>
      {feedback && (
        <tr className="proposed">
          <td colSpan={2}>{feedback}</td>
        </tr>
      )}
    </>
  );
}

const ClassAverage = ({ children }: { children: React.ReactNode }) => (
  <span className="hint">
    <span className="of-class">class </span>average {children}
  </span>
);
