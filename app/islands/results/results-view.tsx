import type { Results } from "../../domain/result.ts";
import stylesheet from "../../styles/results.css?url";
import { GradeSpread } from "./grade-spread.tsx";
import { GradeSummary } from "./grade-summary.tsx";
import { LearnerCard } from "./learner-card.tsx";

/** The marked work of a class. Complete without script; results-island.tsx makes its hidden buttons work. */
export function ResultsView({ results }: { results: Results }) {
  const { title, submissions, sampleFiles } = results;
  const isLong = submissions.length > 10;
  return (
    <div className="results">
      <link rel="stylesheet" href={stylesheet} precedence="results" />
      {sampleFiles && <p className="sample-label">Sample – fictitious</p>}
      <h3 tabIndex={-1}>{title}</h3>
      <p>
        {sampleFiles
          ? "This class is made up. We wrote the test, the rubric and the eight submissions, and marked them as we would mark yours."
          : "These marks are proposed against your rubric. You decide what counts."}
      </p>
      <div className="overview">
        <GradeSummary results={results} />
        <GradeSpread submissions={submissions} />
      </div>
      {isLong && (
        <a className="skip-learners" href="#after-learners">
          Skip the {submissions.length} students
        </a>
      )}
      <ol className={isLong ? "learners long" : "learners"}>
        {submissions.map((submission, index) => (
          <LearnerCard
            key={index}
            submission={submission}
            index={index}
            href={sampleFiles?.find(({ name }) => name === submission.fileName)?.href}
          />
        ))}
      </ol>
      <div id="after-learners" tabIndex={-1}>
        {sampleFiles && <SampleFiles files={sampleFiles} />}
      </div>
    </div>
  );
}

function SampleFiles({ files }: { files: NonNullable<Results["sampleFiles"]> }) {
  return (
    <div className="sample-files no-print">
      <h4>The files that this was marked from</h4>
      <ul>
        {files.map(({ name, href }) => (
          <li key={name}>
            <a href={href} download={name}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
