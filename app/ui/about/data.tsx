import type { PageText } from "../../domain/page-text.ts";
import { linkDays, receiptHours } from "../../domain/service.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

export function Data({ text, retentionDays }: { text: PageText<"about">; retentionDays: number }) {
  const { title, html } = text.sections.data;
  const linkEnds = Math.min(linkDays, retentionDays);
  const moments = [
    { day: 0, when: "The first day", what: "Your files are checked and stored in one database." },
    {
      day: receiptHours / 24,
      when: `${receiptHours} hours`,
      what: "The receipt stops showing the files’ names.",
    },
    { day: linkEnds, when: `${linkEnds} days`, what: "The private link to the results ends." },
    {
      day: retentionDays,
      when: `${retentionDays} days`,
      what: "Request, files and emails are deleted, and their bytes overwritten.",
    },
  ].sort((one, other) => one.day - other.day);
  return (
    <section aria-labelledby="data-title">
      <div className="page">
        <SectionText as="h2" id="data-title" html={title} />
        <ol className="timeline">
          {moments.map(({ when, what }) => (
            <li key={what}>
              <b>{when}</b> {what}
            </li>
          ))}
        </ol>
        <Fold title="Files, hosting and backups">
          <SectionText className="prose-columns" html={html} />
        </Fold>
      </div>
    </section>
  );
}
