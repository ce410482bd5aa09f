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

export function ResultsBody(
  props: Omit<SlipsProps, "perPage" | "withScripts"> & {
    view: ResultsView;
    /** The form that signs, if it was posted and came back. */
    returned: ReturnedDecision | undefined;
  },
) {
  const { results, view, links, returned, renderScript } = props;
  return (
    <>
      <SignedNotice results={results} isPrinted={view.kind !== "slips"} />
      <div className="results">
        {view.kind === "class" && <ClassReport {...props} sort={view.sort} />}
        {view.kind === "learner" && (
          <LearnerPage {...props} index={view.index} script={renderScript(view.index)} />
        )}
        {view.kind === "slips" && (
          <Slips {...props} perPage={view.perPage} withScripts={view.withScripts} />
        )}
      </div>
      {view.kind === "class" && canDecide(results) && (
        <SignSection results={results} links={links} returned={returned} />
      )}
    </>
  );
}
