import { routeContext } from "../context.ts";
import { sampleToken } from "../domain/result.ts";
import { oneByOneAgreement } from "../results/agreement.ts";
import "../styles/parts/reading.css";
import { FiguresTable, SampleAgreement } from "../ui/figures.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SectionText } from "../ui/section-text.tsx";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/figures";

/** Slug of the article on testing accuracy yourself. Some installations do not serve it. */
const articleSlug = "exam-grading-accuracy-comparison";

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  // The sample has results on every installation.
  const sample = await site.findResults(sampleToken);
  return {
    text: site.texts.figures,
    agreement: oneByOneAgreement(sample!),
    hasGuide: site.articles.some(({ slug }) => slug === articleSlug),
  };
}

export default function Figures({ loaderData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { text, agreement, hasGuide } = loaderData;
  const { sample, twice } = text.sections;
  return (
    <div className="page legal">
      <PageHead
        title={titleWith(text.title, brand.name)}
        description={text.description}
        path="/figures"
      />
      <header>
        <h1>{text.title}</h1>
        {hasGuide && (
          <p>
            <a className="standalone-link" href={`/${articleSlug}`}>
              How to count for yourself on thirty scripts
            </a>
          </p>
        )}
      </header>
      <div className="prose wide">
        <FiguresTable claims={brand.claims} />
      </div>
      {brand.model && (
        <div className="prose">
          <SectionText as="h2" id="sample" html={sample.title} />
          <SampleAgreement agreement={agreement} />
          <SectionText html={sample.html} />
          <SectionText as="h2" id="twice" html={twice.title} />
          <SectionText html={twice.html} />
        </div>
      )}
    </div>
  );
}
