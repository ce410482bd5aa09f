import type { MarkedSubmission } from "../../domain/result.ts";
import { LearnerGrade } from "./learner-grade.tsx";
import { MarksTable } from "./marks-table.tsx";

/** @param href link to the learner's file; samples only */
export function LearnerCard({
  submission,
  index,
  href,
}: {
  submission: MarkedSubmission;
  /** Position in the class, from 0. */
  index: number;
  href: string | undefined;
}) {
  const { studentName, fileName, feedback } = submission;
  return (
    <li className="learner">
      <div className="learner-head">
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
        <LearnerGrade submission={submission} levels="national" />
      </div>
      {feedback && <p className="feedback">{feedback}</p>}
      <details>
        <summary>
          Question by question<span className="visually-hidden"> for {studentName}</span>
        </summary>
        <MarksTable submission={submission} />
      </details>
      {/* Script shows this button instead of the details element, and opens a dialog with it. */}
      <button type="button" className="link" data-learner={index} hidden>
        Question by question<span className="visually-hidden"> for {studentName}</span>
      </button>
    </li>
  );
}
