import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { sampleDeskUrl } from "../../site.ts";
import { ButtonLink } from "../button.tsx";
import { SectionText } from "../section-text.tsx";

export function Closing({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { title, html } = text.sections.closing;
  return (
    <section className="closing no-print" aria-labelledby="closing-title">
      <div className="page">
        <SectionText as="h2" id="closing-title" html={title} />
        <SectionText className="lead" html={html} />
        <div className="actions">
          <ButtonLink href="/#demo">Send us a test</ButtonLink>
          <ButtonLink href="/demo" quiet>
            {brand.demoCall.length > 0 ? "Watch us mark" : "Ask for a demo"}
          </ButtonLink>
          <a href={sampleDeskUrl}>Try the marking desk</a>
        </div>
      </div>
    </section>
  );
}
