import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

export function FeatureList({ text }: { text: PageText<"home"> }) {
  const { title, items } = text.sections.features;
  return (
    <PageSection className="features rule-above" titleId="features-title" title={title}>
      <dl className="ledger">
        {items.map(({ title, html, note }) => (
          <div key={title}>
            <SectionText as="dt" className="term" html={title} />
            <dd>
              <Fold title={title}>
                <SectionText html={html} />
              </Fold>
            </dd>
            {note && <SectionText as="dd" html={note} />}
          </div>
        ))}
      </dl>
      <p className="links">
        <a href="/features">All features, with examples</a>
        <a href="/features#buying-title">What a school asks first</a>
      </p>
    </PageSection>
  );
}
