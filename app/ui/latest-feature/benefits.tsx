import type { PageText } from "../../domain/page-text.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

export function Benefits({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html, items } = text.sections.benefits;
  return (
    <PageSection titleId="benefits-title" title={title}>
      <SectionText className="lead" html={html} />
      <ol className="quarters">
        {items.map(({ title, html, note }) => (
          <li key={title}>
            <h3 className="moment">
              <Tick /> <span dangerouslySetInnerHTML={{ __html: title }} />
            </h3>
            <SectionText html={html} />
            <SectionText className="hint" html={note} />
          </li>
        ))}
      </ol>
    </PageSection>
  );
}
