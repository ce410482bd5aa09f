import { canDecide, type Results } from "../../domain/result.ts";
import type { LevelScale } from "../../results/grade.ts";
import { ClassReport } from "./class-page.tsx";
import type { ReturnedDecision } from "./deciding.tsx";
import { LearnerPage } from "./learner.tsx";
import type { ResultsLinks, ResultsView } from "./results-urls.ts";
import { SignedNotice, SignSection } from "./signing.tsx";
import { type RenderScript, Slips } from "./slips.tsx";
import "../../styles/parts/hands.css";
import "../../styles/parts/class-figures.css";
import "../../styles/parts/deciding.css";
import "../../styles/parts/marks-grid.css";
import "../../styles/parts/marks-table.css";
import "../../styles/parts/printed-results.css";

interface ViewProps {
  results: Results;
  levels: LevelScale;
  links: ResultsLinks;
}

/** Shows the class, one learner, or slips to print. */
export function ResultsBody({
  view,
  contact,
  hasScripts,
  returned,
  renderScript,
  ...shown
}: ViewProps & {
  view: ResultsView;
  /** The address that learners' queries go to; null if the brand has none. */
  contact: string | null;
  /** Whether any page of a script can be shown. */
  hasScripts: boolean;
  /** The form that signs, if it was posted and came back. */
  returned: ReturnedDecision | undefined;
  renderScript: RenderScript;
}) {
  const { results, links } = shown;
  return (
    <>
      <SignedNotice results={results} isPrinted={view.kind !== "slips"} />
      <div className="results">
        {view.kind === "class" && <ClassReport {...shown} sort={view.sort} />}
        {view.kind === "learner" && (
          <LearnerPage {...shown} index={view.index} script={renderScript(view.index)} />
        )}
        {view.kind === "slips" && (
          <SlipsView {...shown} {...view} {...{ contact, hasScripts, renderScript }} />
        )}
      </div>
      {view.kind === "class" && canDecide(results) && (
        <SignSection results={results} links={links} returned={returned} />
      )}
    </>
  );
}

function SlipsView({
  results,
  perPage,
  withScripts,
  levels,
  links,
  contact,
  hasScripts,
  renderScript,
}: ViewProps & {
  perPage: 1 | 2;
  withScripts: boolean;
  contact: string | null;
  hasScripts: boolean;
  renderScript: RenderScript;
}) {
  return (
    <>
      <div className="no-print">
        <h2>Feedback slips: {results.title}</h2>
        <p>
          Print this page: {perPage === 1 ? "one learner" : "two learners"} to a page. Switch off
          “Headers and footers” in the print dialog, because the address of this page, which some
          browsers print there, opens the marks of the whole class.
        </p>
        <p className="actions">
          <a href={links.classPage}>Back to the class</a>
          {perPage === 1 ? (
            <a href={links.slips(2)}>Two to a page</a>
          ) : (
            <a href={links.slips(1)}>One to a page</a>
          )}
          {hasScripts && !withScripts && (
            <a href={links.slipsWithScripts}>With the pages of each script</a>
          )}
        </p>
      </div>
      <Slips
        {...{ results, perPage, levels, contact }}
        renderScript={withScripts ? renderScript : undefined}
      />
    </>
  );
}
