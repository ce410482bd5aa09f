import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

/** A checklist. Titles that begin with [x] are ticked, those with [ ] crossed out. */
export function Security({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections.security;
  return (
    <section className="leaf" aria-labelledby="security-title">
      <div className="page">
        <SectionText as="h2" id="security-title" html={title} />
        <Fold title="What is done, by whom, and what is not">
          <ul className="quarters">
            {items.map(({ title, html, note }) => (
              <li key={title} className={title.startsWith("[x]") ? "ticked" : "crossed"}>
                <SectionText as="h3" html={title.replace(/^\[[ x]\] /, "")} />
                <SectionText html={html} />
                <SectionText className="hint flush" html={note} />
              </li>
            ))}
          </ul>
        </Fold>
        <SectionText html={html} />
      </div>
    </section>
  );
}
