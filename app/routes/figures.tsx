import { routeContext } from "../context.ts";
import "../styles/parts/reading.css";
import { FiguresTable, SameScriptTwice } from "../ui/figures.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/figures";

/** The article on counting for oneself, if it is served. */
const guide = "exam-grading-accuracy-comparison";

export const loader = ({ context }: Route.LoaderArgs) => ({
  hasGuide: context.get(routeContext).articles.some(({ slug }) => slug === guide),
});

export default function Figures({ loaderData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  return (
    <div className="page legal">
      <PageHead
        title={titleWith("Where our figures come from", brand.name)}
        description="Each figure that we state about AI marking: what it means, and who tested it."
        path="/figures"
      />
      <header>
        <h1>Where our figures come from</h1>
        {loaderData.hasGuide && (
          <p>
            <a className="standalone-link" href={`/${guide}`}>
              How to count for yourself on thirty scripts
            </a>
          </p>
        )}
      </header>
      <div className="prose wide">
        <FiguresTable claims={brand.claims} />
      </div>
      <div className="prose">
        <SameScriptTwice brand={brand} />
      </div>
    </div>
  );
}
