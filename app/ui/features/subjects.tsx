import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

export function Subjects({ text: { sections } }: { text: PageText<"features"> }) {
  const { subjects, levels } = sections;
  return (
    <PageSection titleId="subjects-title" title={subjects.title}>
      <dl className="ledger">
        {subjects.items.map(({ title, html, note }) => (
          <div key={title}>
            <SectionText as="dt" className="term" html={title} />
            <dd>
              <Fold title={title}>
                <SectionText html={html} />
              </Fold>
            </dd>
            <dd>
              <span className="hint">For you to look at:</span> <SectionText html={note} />
            </dd>
          </div>
        ))}
      </dl>
      <SectionText as="h3" html={levels.title} />
      <Fold title={levels.title}>
        <SectionText className="timeline" html={levels.html} />
      </Fold>
    </PageSection>
  );
}
