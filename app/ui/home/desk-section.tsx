import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Drawing } from "../drawing.tsx";
import { SectionText } from "../section-text.tsx";
import smallDesk from "./small-desk.svg?raw";

export function DeskSection({ text, brand }: { text: PageText<"home">; brand: Brand }) {
  const { title, html } = text.sections.desk;
  const proposal = brand.model && "3 was proposed, in pencil, and struck out; ";
  return (
    <section aria-labelledby="desk-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="desk-title" html={title} />
          <SectionText html={html} />
        </div>
        <Drawing
          svg={smallDesk}
          hasModel={Boolean(brand.model)}
          className="marked-script desk-picture"
          role="img"
          aria-label={`The marking desk. On the left a learner’s page with a tick and a comment in red. On the right the question: ${proposal}4 of 4 was decided, in red.`}
        />
      </div>
    </section>
  );
}
