import type { ShownFile } from "../../domain/desk.ts";
import { canDecide, type Results } from "../../domain/result.ts";
import { marksFieldId, type ReturnedDecision } from "../../islands/results/view/deciding.tsx";
import { linksOf, type ResultsView as View } from "../../islands/results/view/results-urls.ts";
import { ResultsView } from "../../islands/results/view/results-view.tsx";
import { LinkEnds, ReturnedNotice } from "../../islands/results/view/signing.tsx";
import type { LevelScale } from "../../results/grade.ts";
import { Loader } from "../island.tsx";
import { Work } from "../script/work.tsx";
import { ClosedLink } from "./closed-link.tsx";
import "../../styles/parts/class-figures.css";
import "../../styles/parts/deciding.css";
import "../../styles/parts/marks-grid.css";
import "../../styles/parts/marks-table.css";
import "../../styles/parts/printed-results.css";

/** The results that the URL asks for. */
export interface ShownResults {
  token: string;
  isSample: boolean;
  title: string;
  /** Null if the token opens none. */
  results: Results | null;
  view: View;
  /** When the request is deleted, with its results: ISO 8601, UTC; null for the sample. */
  deletedAt: string | null;
  /** The address that learners' queries go to; null if the brand has none. */
  contact: string | null;
  /** The script of the learner who is shown, or those of the class; empty if none is shown. */
  scripts: ShownFile[][];
}

/** A page of results: the class, one learner, or slips to print. */
export function ResultsPage({
  shown: { token, isSample, title, results, view, deletedAt, contact, scripts },
  returned,
  levels,
}: {
  shown: ShownResults;
  /** A form of the page that was posted and came back. */
  returned: ReturnedDecision | undefined;
  levels: LevelScale;
}) {
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className={results ? "page" : "page narrow"}>
        {returned && (
          <ReturnedNotice
            returned={returned}
            field={results ? fieldOf(returned, results, view) : undefined}
          />
        )}
        <h1 id="demo-title" className={results ? "no-print" : undefined}>
          {title}
        </h1>
        {!results && <ClosedLink />}
        {results && (
          <ResultsView
            {...{ results, view, levels, contact, returned }}
            links={linksOf(token)}
            renderScript={
              view.kind === "slips" && view.withScripts
                ? (index) => (
                    <Script work={scripts[index] ?? []} {...{ results, index, token }} isPrinted />
                  )
                : undefined
            }
          />
        )}
        {results && view.kind === "learner" && scripts[0] && (
          <Script work={scripts[0]} index={view.index} {...{ results, token }} />
        )}
        {results?.link && deletedAt && (
          <LinkEnds expiresAt={results.link.expiresAt} deletedAt={deletedAt} />
        )}
        {results && <AskUs isSample={isSample} />}
        {results && <Loader />}
      </div>
    </section>
  );
}

/** The pages of a learner's script with their stamps, if they can be shown. */
function Script({
  work,
  results,
  index,
  token,
  isPrinted,
}: {
  work: ShownFile[];
  results: Results;
  /** Of the learner in the class, from 0. */
  index: number;
  token: string;
  /** Whether it follows a slip, which is printed at once. */
  isPrinted?: true;
}) {
  const isShown = ({ rendered }: ShownFile) => rendered && rendered.kind !== "original";
  if (!work.some(isShown)) return null;
  const { studentName } = results.submissions[index]!;
  return (
    <div className="given-back">
      {!isPrinted && <h2>The script of {studentName}</h2>}
      <Work
        label={studentName}
        work={work.filter(isShown)}
        links={linksOf(token)}
        isPrinted={isPrinted}
      />
    </div>
  );
}

/** The id of the field that a returned form is about, if the view has it. */
function fieldOf({ intent, typed }: ReturnedDecision, results: Results, view: View) {
  if (!canDecide(results)) return undefined;
  if (view.kind === "class") return intent === "sign" ? "sign-name" : undefined;
  if (view.kind !== "learner") return undefined;
  const question = results.submissions[view.index]!.questionMarks.findIndex(
    ({ questionNumber }) => questionNumber === typed.question,
  );
  return question === -1 ? undefined : marksFieldId(question);
}

function AskUs({ isSample }: { isSample: boolean }) {
  return (
    <p className="no-print">
      {isSample ? (
        <>
          <a href="/#demo">Send us your own papers</a>, and a page like this one comes back.
        </>
      ) : (
        <>
          Is a mark wrong, or do you need something else from this class? Reply to the email that
          brought you here, or <a href="/contact">write to us</a>.
        </>
      )}
    </p>
  );
}
