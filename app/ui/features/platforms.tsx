import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

export function Platforms({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { integrations } = brand;
  const { platforms, passes } = text.sections;
  return (
    <PageSection titleId="platforms-title" title={platforms.title}>
      <SectionText className="timeline" html={passes.html} />
      <SectionText html={platforms.html} />
      {integrations.length > 0 && (
        <Fold title="Platform by platform">
          <ul className="thirds">
            {integrations.map(({ name, text }) => (
              <li key={name} className="sheet">
                <h3>{name}</h3>
                <p>{text}</p>
              </li>
            ))}
            {platforms.items.map(({ title, html }) => (
              <li key={title} className="sheet">
                <SectionText as="h3" html={title} />
                <SectionText html={html} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </PageSection>
  );
}
