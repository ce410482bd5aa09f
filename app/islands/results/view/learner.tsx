import type { Results } from "../../../domain/result.ts";
import type { LevelScale } from "../../../results/grade.ts";
import { ClassBars } from "./class-bars.tsx";
import { LearnerGrade } from "./learner-grade.tsx";
import { MarksTable, type RenderForm } from "./marks-table.tsx";

/** One learner's marks and feedback, beside the averages of the class. */
export function Learner({
  results: { submissions, averageGrade, sampleFiles },
  index,
  levels,
  renderForm,
}: {
  results: Results;
  /** Position in the class, from 0. */
  index: number;
  levels: LevelScale;
  renderForm?: RenderForm | undefined;
}) {
  const submission = submissions[index]!;
  const { studentName, fileName, feedback } = submission;
  const href = sampleFiles?.find(({ name }) => name === fileName)?.href;
  return (
    <div className="learner-spread cluster">
      <div className="learner sheet">
        <div className="learner-head cluster flush">
          <div className="flush">
            <h3 tabIndex={-1}>{studentName}</h3>
            <p className="file-name hint">
              {href ? (
                <a className="standalone-link" href={href} download={fileName}>
                  {fileName}
                </a>
              ) : (
                fileName
              )}
            </p>
          </div>
          <LearnerGrade submission={submission} levels={levels} />
        </div>
        {feedback && <p className="pencil">{feedback}</p>}
        <MarksTable submission={submission} renderForm={renderForm} />
      </div>
      {submissions.length > 1 && (
        <ClassBars submissions={submissions} averageGrade={averageGrade} index={index} />
      )}
    </div>
  );
}
