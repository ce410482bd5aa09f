import type { MarkedSubmission } from "../../domain/result.ts";
import { bandOf, maxMarks } from "../../results/grade.ts";
import { MarksTable, marksOf } from "./marks-table.tsx";

/** @param href where the file can be had, which is so in a sample only */
export function LearnerCard({
  submission,
  place,
  href,
}: {
  submission: MarkedSubmission;
  /** In the list, from 0. */
  place: number;
  href: string | undefined;
}) {
  const { studentName, fileName, feedback } = submission;
  return (
    <li className="student">
      <div className="student-head">
        <div>
          <h4>{studentName}</h4>
          <p className="file-name hint">
            {href ? (
              <a href={href} download={fileName}>
                {fileName}
              </a>
            ) : (
              fileName
            )}
          </p>
        </div>
        <StudentGrade submission={submission} />
      </div>
      {feedback && <p className="feedback">{feedback}</p>}
      <details>
        <summary>
          Question by question<span className="visually-hidden"> for {studentName}</span>
        </summary>
        <MarksTable submission={submission} />
      </details>
      {/* Takes the place of what opens in place, once there is a script to open the dialog. */}
      <button type="button" className="link" data-student={place} hidden>
        Question by question<span className="visually-hidden"> for {studentName}</span>
      </button>
    </li>
  );
}

export function StudentGrade({ submission }: { submission: MarkedSubmission }) {
  const band = bandOf(submission.grade);
  return (
    <p className={`student-grade band-${band.style}`}>
      <span className="ring figures">
        {marksOf(submission)}/{maxMarks}
      </span>
      <span>
        <b className="figures">{submission.grade}%</b> <span className="band">{band.label}</span>
      </span>
    </p>
  );
}
