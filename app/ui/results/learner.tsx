import { canDecide, type Results } from "../../domain/result.ts";
import { sortedIndexes } from "../../results/class-report.ts";
import type { LevelScale } from "../../results/grade.ts";
import { readerOf } from "../../results/who-decided.ts";
import { ClassBars } from "./class-bars.tsx";
import { LearnerGrade } from "./learner-grade.tsx";
import { MarksTable, pencilClass } from "./marks-table.tsx";
import type { ResultsLinks } from "./results-urls.ts";

interface LearnerProps {
  results: Results;
  /** Position in the class, from 0. */
  index: number;
  levels: LevelScale;
  links: ResultsLinks;
  /** The pages of the script, if they can be shown. */
  script: React.ReactNode;
}

/** A learner's page, with links to the previous and the next learner by name. */
export function LearnerPage(props: LearnerProps) {
  const { title, submissions } = props.results;
  const { index, links } = props;
  const order = sortedIndexes(submissions, "name").map((one) => submissions[one]!);
  const at = order.indexOf(submissions[index]!);
  const next = order[at + 1];
  const neighbours = [
    ["Previous", order[at - 1]],
    ["Next", next],
  ] as const;
  return (
    <>
      <h2>{title}</h2>
      <p className="actions no-print">
        <a href={`${links.classPage}#learners`}>Back to the class</a>
        {neighbours.map(
          ([label, neighbour]) =>
            neighbour && (
              <a key={label} href={links.learner(neighbour)}>
                {label}
                <span className="visually-hidden"> learner, {neighbour.studentName}</span>
              </a>
            ),
        )}
      </p>
      <Learner {...props} next={next && links.learner(next)} />
    </>
  );
}

function Learner({
  results,
  index,
  levels,
  links,
  script,
  next,
}: LearnerProps & {
  /** The page of the next learner; undefined for the last one. */
  next: string | undefined;
}) {
  const { submissions, averageGrade, sampleFiles } = results;
  const submission = submissions[index]!;
  const { studentName, fileName, feedback } = submission;
  const href = sampleFiles?.find(({ name }) => name === fileName)?.href;
  const decides = canDecide(results);
  return (
    <div className={script ? "learner-spread cluster with-script" : "learner-spread cluster"}>
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
        {feedback && <p className={pencilClass(feedback)}>{feedback}</p>}
        <MarksTable
          submission={submission}
          points={results.points}
          reader={readerOf(results.link)}
          deskAt={
            decides ? (questionNumber) => links.answer(submission, questionNumber) : undefined
          }
        />
        <p className="what-next no-print">
          {next ? (
            <a className="standalone-link" href={next}>
              Next learner
            </a>
          ) : (
            <>
              This is the last learner.{" "}
              <a href={decides ? `${links.classPage}#sign` : links.classPage}>
                {decides ? "Back to the class, to sign" : "Back to the class"}
              </a>
            </>
          )}
        </p>
      </div>
      {submissions.length > 1 && (
        <ClassBars submissions={submissions} averageGrade={averageGrade} index={index} />
      )}
      {script}
    </div>
  );
}
