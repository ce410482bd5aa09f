import type { MarkedSubmission, QuestionMark } from "../../domain/result.ts";
import { isDecided, needsLook } from "../../results/class-report.ts";
import { formatMarks, noMark, sumOf } from "../../results/grade.ts";
import { TotalMarks } from "./learner-grade.tsx";

/** Renders the form that decides a mark. */
export type RenderForm = (mark: QuestionMark) => React.ReactNode;

/** What one learner is compared with. */
interface ClassAverages {
  /** Average marks by question, in the order of the paper. */
  marks: (number | null)[];
  /** The average grade, as it is shown. */
  grade: string;
}

/**
 * @param average undefined if there is no class to compare with
 * @param renderForm what decides a mark, below its feedback
 */
export function MarksTable({
  submission: { studentName, questionMarks },
  average,
  renderForm,
}: {
  submission: MarkedSubmission;
  average: ClassAverages | undefined;
  renderForm?: RenderForm | undefined;
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
            id={renderForm && `q${index + 1}`}
            form={renderForm?.(mark)}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="figures">
            <TotalMarks marks={sumOf(questionMarks)} />
            {average && <ClassAverage>{average.grade}</ClassAverage>}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** A question's mark, and in a row of its own, which has more room, the feedback. */
export function QuestionRows({
  mark,
  average,
  id,
  form,
}: {
  mark: QuestionMark;
  average?: string | undefined;
  id?: string | undefined;
  form?: React.ReactNode;
}) {
  const { questionNumber, description, totalMarks, marksAwarded, feedback, comment } = mark;
  return (
    <>
      <tr id={id}>
        <th scope="row">
          <b className="number figures">{questionNumber}</b> {description}
        </th>
        <td className="figures">
          {isDecided(mark) ? <ins>{marksAwarded}</ins> : <b>{marksAwarded ?? noMark}</b>}/
          {totalMarks}
          {mark.notAnswered && <ins className="hint">not answered</ins>}
          {isDecided(mark) && (
            <span className="hint">{`decided; proposed: ${mark.proposedMarks ?? "nothing"}`}</span>
          )}
          {needsLook(mark) && <span className="look">Look here first</span>}
          {average && <ClassAverage>{average}</ClassAverage>}
        </td>
      </tr>
      {feedback && (
        <tr className="proposed">
          <td colSpan={2}>{feedback}</td>
        </tr>
      )}
      {comment && (
        <tr className="proposed">
          <td colSpan={2}>
            <span className="visually-hidden">Comment on the decision: </span>
            <ins>{comment}</ins>
          </td>
        </tr>
      )}
      {form && (
        <tr className="decide no-print">
          <td colSpan={2}>{form}</td>
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
