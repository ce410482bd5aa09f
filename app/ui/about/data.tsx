import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

/** What becomes of files: the moments of a request in their order, then the details. */
export function Data({ text }: { text: PageText<"about"> }) {
  const { title, html, items } = text.sections.data;
  return (
    <PageSection titleId="data-title" title={title}>
      <ol className="timeline">
        {items.map(({ title, html }) => (
          <li key={title}>
            <SectionText as="h3" html={title} />
            <SectionText html={html} />
          </li>
        ))}
      </ol>
      <Fold title="Files, hosting and backups">
        <SectionText className="thirds" html={html} />
      </Fold>
    </PageSection>
  );
}
