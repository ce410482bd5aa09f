import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { sampleDeskUrl } from "../../site.ts";
import { ButtonLink } from "../button.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

export function Closing({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { title, html } = text.sections.closing;
  return (
    <PageSection className="rule-above no-print" titleId="closing-title" title={title}>
      <SectionText className="lead" html={html} />
      <div className="actions">
        <ButtonLink href="/#demo">Send us a test</ButtonLink>
        <ButtonLink href="/demo" quiet>
          {brand.demoCall.length > 0 ? "Watch us mark" : "Ask for a demo"}
        </ButtonLink>
        <a href={sampleDeskUrl}>Try the marking desk</a>
      </div>
    </PageSection>
  );
}
