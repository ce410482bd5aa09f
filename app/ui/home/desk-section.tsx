import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { SectionText } from "../section-text.tsx";
import { DeskPicture } from "./desk-picture.tsx";

export function DeskSection({ text, brand }: { text: PageText<"home">; brand: Brand }) {
  const { title, html } = text.sections.desk;
  return (
    <section aria-labelledby="desk-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="desk-title" html={title} />
          <SectionText html={html} />
        </div>
        <DeskPicture hasProposal={Boolean(brand.model)} />
      </div>
    </section>
  );
}
