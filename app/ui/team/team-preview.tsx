import type { Brand } from "../../brand.ts";
import type { Results } from "../../domain/result.ts";
import { teamApiPrefix } from "../../site.ts";
import { linksOf, type ResultsView } from "../results/results-urls.ts";
import { ResultsBody } from "../results/results-view.tsx";
import { teamLinks } from "./team-urls.ts";

export function TeamPreview({
  token,
  results,
  view,
  brand,
}: {
  token: string;
  results: Results;
  view: ResultsView;
  brand: Brand;
}) {
  const { page, preview: classPage } = teamLinks(token);
  return (
    <div className="page">
      <div className="margin-note no-print">
        <p>
          This is a preview of what the educator sees, without the scripts. Nothing can be decided
          or signed here. <a href={`${page}#publish`}>Back to the page of the class</a>
        </p>
      </div>
      <h1 className="no-print">A preview of the marks</h1>
      <ResultsBody
        results={results}
        view={view}
        levels={brand.results.levels}
        links={linksOf(token, { classPage, apiPrefix: teamApiPrefix })}
        contact={brand.email || null}
        hasScripts={false}
        returned={undefined}
        renderScript={() => null}
      />
    </div>
  );
}
