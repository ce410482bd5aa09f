import type { PageText } from "../../domain/page-text.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

/** A checklist. Titles that begin with [x] have a ticked box, those with [ ] an empty one. */
export function Security({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections.security;
  return (
    <section className="security" aria-labelledby="security-title">
      <div className="page">
        <SectionText as="h2" id="security-title" html={title} />
        <Fold title="What is done, by whom, and what is not">
          <ul className="checklist quarters">
            {items.map(({ title, html, note }) => (
              <li key={title}>
                <span className="box">{title.startsWith("[x]") && <Tick />}</span>
                <SectionText as="h3" html={title.replace(/^\[[ x]\] /, "")} />
                <SectionText html={html} />
                <SectionText className="label" html={note} />
              </li>
            ))}
          </ul>
        </Fold>
        <SectionText html={html} />
      </div>
    </section>
  );
}
