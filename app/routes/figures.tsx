import "../styles/parts/reading.css";
import { Figures as AllFigures, SameScriptTwice } from "../ui/figures.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/figures";

export default function Figures({ matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  return (
    <div className="page legal">
      <PageHead
        title={titleWith("Where our figures come from", brand.name)}
        description="Each figure that we publish about AI marking: what was counted, on what, when and by whom, and what we haven’t published."
        path="/figures"
      />
      <header className="legal-hero">
        <h1>Where our figures come from</h1>
        <p className="lead">
          A figure without its basis is an advertisement. Here is the basis of each of ours, and
          where there is none, we say so. None of them was tested independently unless its entry
          says by whom.
        </p>
        <p>
          <a className="standalone-link" href="/exam-grading-accuracy-comparison">
            How to count for yourself on thirty scripts
          </a>
        </p>
      </header>
      <div className="prose">
        <AllFigures claims={brand.claims} />
        <SameScriptTwice brand={brand} />
      </div>
    </div>
  );
}
