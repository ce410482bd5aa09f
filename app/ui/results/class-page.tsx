import { canDecide, type Results } from "../../domain/result.ts";
import type { SortKey } from "../../results/class-report.ts";
import { progressOf } from "../../results/decision-progress.ts";
import type { LevelScale } from "../../results/grade.ts";
import {
  nextForEducator,
  readerOf,
  sentenceOfClass,
  whoDecided,
} from "../../results/who-decided.ts";
import { GradeSummary } from "./grade-summary.tsx";
import { LookFirst } from "./look-first.tsx";
import { MarksGrid } from "./marks-grid.tsx";
import { Named } from "./marks-table.tsx";
import { QuestionBars } from "./question-bars.tsx";
import type { ResultsLinks } from "./results-urls.ts";
import { agreementText } from "./signing.tsx";
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
      <p>{sampleFiles ? sampleSentences(submissions) : <ProgressSentences results={results} />}</p>
      {sampleFiles && (
        <p className="no-print">
          They are here to read. <a href={links.desk}>Mark six answers on the sample desk</a>, with
          the keys that markers use.
        </p>
      )}
      <NextSteps results={results} links={links} />
      <LookFirst submissions={submissions} links={links} decides={canDecide(results)} />
      <div className="at-a-glance">
        <GradeSummary results={results} links={links} />
        <div>
          <QuestionBars results={results} />
        </div>
      </div>
      <MarksGrid submissions={submissions} sort={sort} levels={levels} links={links} />
      <div id="after-learners" tabIndex={-1}>
        <TakeAway results={results} links={links} />
        {sampleFiles && <SampleFiles files={sampleFiles} submissions={submissions.length} />}
      </div>
    </>
  );
}

function sampleSentences(submissions: Results["submissions"]): string {
  const who =
    progressOf(submissions).undecided.length > 0
      ? "The marks of one learner are decided, in red; the others are proposals, in pencil."
      : "A marker decided them, and an educator those of one learner.";
  return `This class is made up: the test, the rubric, the ${submissions.length} submissions and their marks are examples. ${who}`;
}

/** Says who decided the marks. On the screen it tells the educator what to do next. */
function ProgressSentences({ results }: { results: Results }) {
  const who = whoDecided(results.submissions);
  const next = canDecide(results) ? ` ${nextForEducator(who)}` : "";
  return (
    <Named reader={readerOf(results.link)} next={next}>
      {(reader) => sentenceOfClass(who, reader)}
    </Named>
  );
}

function NextSteps({ results, links }: { results: Results; links: ResultsLinks }) {
  const { decided, total } = progressOf(results.submissions);
  const agreement = agreementText(results);
  const decides = canDecide(results);
  return (
    <div className="no-print">
      <div className="actions">
        {decides && decided < total && (
          <a className="button" href={links.deskNext}>
            Decide on the marking desk
          </a>
        )}
        {decides && (
          <>
            <b>{`${decided} of ${total} decided`}</b>
            <a href="#sign">Sign the marks</a>
          </>
        )}
        <a href="#after-learners">Take the marks away</a>
        {decides && decided < total && <a href={links.desk}>See the whole desk</a>}
      </div>
      {agreement && <p className="hint">{`${agreement}.`}</p>}
    </div>
  );
}

function SampleFiles({
  files,
  submissions,
}: {
  files: NonNullable<Results["sampleFiles"]>;
  /** How many of the files are submissions. */
  submissions: number;
}) {
  return (
    <div className="no-print">
      <h3>The files that this was marked from</h3>
      <p>
        Question paper, rubric and {submissions} submissions. They are what{" "}
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
