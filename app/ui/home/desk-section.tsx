import type { PageText } from "../../domain/page-text.ts";
import { SectionText } from "../section-text.tsx";

export function DeskSection({ text }: { text: PageText<"home"> }) {
  const { title, html } = text.sections.desk;
  return (
    <section aria-labelledby="desk-title">
      <div className="page">
        <SectionText as="h2" id="desk-title" html={title} />
        <SectionText html={html} />
      </div>
    </section>
  );
}
