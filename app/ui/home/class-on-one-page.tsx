import type { PageText } from "../../domain/page-text.ts";
import { ClassPicture } from "../class-picture.tsx";
import { SectionText } from "../section-text.tsx";

export function ClassOnOnePage({ text }: { text: PageText<"home"> }) {
  const { title, html } = text.sections.class;
  return (
    <section className="class-on-one-page rule-above" aria-labelledby="class-title">
      <div className="page halves centred">
        <div>
          <SectionText as="h2" id="class-title" html={title} />
          <SectionText html={html} />
        </div>
        <ClassPicture />
      </div>
    </section>
  );
}
