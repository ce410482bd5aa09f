import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

/** A checklist. Titles that begin with [x] are ticked, those with [ ] crossed out. */
export function Security({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections.security;
  return (
    <PageSection className="leaf" titleId="security-title" title={title}>
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
    </PageSection>
  );
}
