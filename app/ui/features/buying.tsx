import type { PageText } from "../../domain/page-text.ts";
import { PageSection, SectionText } from "../section-text.tsx";

/** What buyers ask first. Questions that the institution has not answered are left out. */
export function Buying({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections["before-you-buy"];
  return (
    <PageSection className="buying" titleId="buying-title" title={title}>
      <SectionText html={html} />
      {items.map(({ title, html }) => (
        <details key={title} className="rule-above">
          <SectionText as="summary" className="term" html={title} />
          <SectionText html={html} />
        </details>
      ))}
    </PageSection>
  );
}
