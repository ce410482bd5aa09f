import type { TextSection } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

/** Passages next to each other, each perhaps with a note at its foot. */
export function Dividers({
  section: { title, html, items },
  id,
}: {
  section: TextSection;
  /** The id of the heading. */
  id: string;
}) {
  if (items.length === 0) return null;
  return (
    <PageSection className="dividers" titleId={id} title={title}>
      {html && <SectionText className="faded" html={html} />}
      <div className="thirds">
        {items.map(({ title, html, note }) => (
          <article key={title} className="sheet">
            <SectionText as="h3" html={title} />
            <Fold title={title}>
              <SectionText html={html} />
            </Fold>
            {note && <SectionText className="signs written flush" html={note} />}
          </article>
        ))}
      </div>
    </PageSection>
  );
}
