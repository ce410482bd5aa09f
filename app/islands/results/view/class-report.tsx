import { canDecide, type Results } from "../../../domain/result.ts";
import type { SortKey } from "../../../results/class-report.ts";
import type { LevelScale } from "../../../results/grade.ts";
import { GradeSummary } from "./grade-summary.tsx";
import { LookFirst } from "./look-first.tsx";
import { MarksGrid } from "./marks-grid.tsx";
import { QuestionBars } from "./question-bars.tsx";
import type { ResultsLinks } from "./results-urls.ts";
import { TakeAway } from "./take-away.tsx";

/** The class on one page. Complete without script, which opens learners in a dialog. */
export function ClassReport({
  results,
  sort,
  levels,
  links,
}: {
  results: Results;
  sort: SortKey;
  levels: LevelScale;
  links: ResultsLinks;
}) {
  const { title, submissions, sampleFiles } = results;
  return (
    <>
      {sampleFiles && (
        <p>
          <span className="badge">Sample – fictitious</span>
        </p>
      )}
      <h2 tabIndex={-1}>{title}</h2>
      <p>
        {sampleFiles
          ? `This class is made up: the test, the rubric, the ${submissions.length} submissions and their marks are examples. The marks of one learner are decided, in red; the others are proposals, in pencil.`
          : results.signed
            ? "You have decided these marks against your rubric."
            : "These marks are proposed against your rubric, so they are in pencil. You decide what counts."}
      </p>
      {sampleFiles && <TryIt />}
      {submissions.length > 10 && (
        <a className="standalone-link no-print" href="#after-learners">
          Skip the {submissions.length} learners
        </a>
      )}
      <LookFirst submissions={submissions} links={links} decides={canDecide(results)} />
      <div className="at-a-glance">
        <GradeSummary results={results} links={links} />
        <div>
          <QuestionBars submissions={submissions} />
        </div>
      </div>
      <MarksGrid submissions={submissions} sort={sort} levels={levels} links={links} />
      <div id="after-learners" tabIndex={-1}>
        <TakeAway results={results} links={links} />
        {sampleFiles && <SampleFiles files={sampleFiles} />}
      </div>
    </>
  );
}

function TryIt() {
  return (
    <>
      <p className="needs-script no-print">
        Decide them as you would your own: agree with a mark, or change it. It is a sample, and
        nothing is stored.
      </p>
      <p className="without-script no-print">
        It is a sample, and nothing is stored. With JavaScript you can try to decide its marks.
      </p>
    </>
  );
}

function SampleFiles({ files }: { files: NonNullable<Results["sampleFiles"]> }) {
  return (
    <div className="no-print">
      <h3>The files that this was marked from</h3>
      <p>
        Question paper, rubric and {files.length - 2} submissions. They are what{" "}
        <a href="/#demo">the form</a> takes: save them, and send them to try it out.
      </p>
      <details>
        <summary>All {files.length} files</summary>
        <ul className="links">
          {files.map(({ name, href }) => (
            <li key={name}>
              <a href={href} download={name}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
