import { canDecide } from "../../domain/result.ts";
import { ClassReport } from "./class-page.tsx";
import type { ReturnedDecision } from "./deciding.tsx";
import { LearnerPage } from "./learner.tsx";
import type { ResultsView } from "./results-urls.ts";
import { SignedNotice, SignSection } from "./signing.tsx";
import { Slips, type SlipsProps } from "./slips.tsx";
import "../../styles/parts/hands.css";
import "../../styles/parts/class-figures.css";
import "../../styles/parts/deciding.css";
import "../../styles/parts/marks-grid.css";
import "../../styles/parts/marks-table.css";
import "../../styles/parts/printed-results.css";

/** Shows the class, one learner, or slips to print. */
export function ResultsBody({
  view,
  contact,
  hasScripts,
  returned,
  renderScript,
  ...shown
}: Omit<SlipsProps, "perPage" | "withScripts"> & {
  view: ResultsView;
  /** The form that signs, if it was posted and came back. */
  returned: ReturnedDecision | undefined;
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
          <Slips {...shown} {...view} {...{ contact, hasScripts, renderScript }} />
        )}
      </div>
      {view.kind === "class" && canDecide(results) && (
        <SignSection results={results} links={links} returned={returned} />
      )}
    </>
  );
}
