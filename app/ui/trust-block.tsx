import type { PageText } from "../domain/page-text.ts";
import { SectionText } from "./section-text.tsx";
import "../styles/parts/ledger.css";

/** Answers for the person who approves the service. Notes say what a promise rests on: program or institution. */
export function TrustBlock({
  text: { title, description, sections },
}: {
  text: PageText<"approval">;
}) {
  return (
    <section id="trust" aria-labelledby="trust-title">
      <h2 id="trust-title">{title}</h2>
      <p>{description}</p>
      <dl className="sheet ledger">
        {Object.entries(sections).map(([name, { title, html, note }]) => (
          <div key={name}>
            <SectionText as="dt" className="term" html={title} />
            <SectionText as="dd" html={html} />
            <SectionText as="dd" className="hint" html={note} />
          </div>
        ))}
      </dl>
    </section>
  );
}
