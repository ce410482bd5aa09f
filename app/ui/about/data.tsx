import type { Brand } from "../../brand.ts";
import { linkDays, receiptHours } from "../../domain/service.ts";
import { Fold } from "../fold.tsx";
import { recipientsOf } from "../notice-texts.ts";

export function Data({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
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
      what: "Request, files and e-mails are deleted, and their bytes overwritten.",
    },
  ].sort((one, other) => one.day - other.day);
  return (
    <section aria-labelledby="data-title">
      <div className="page">
        <h2 id="data-title">What becomes of what you send</h2>
        <ol className="timeline">
          {moments.map(({ when, what }) => (
            <li key={what}>
              <b>{when}</b> {what}
            </li>
          ))}
        </ol>
        <Fold title="In full">
          <div className="prose-columns">
            <p>
              No web address gives an uploaded file back, and no e-mail of ours carries one. We use
              the files to mark them and to answer you. {recipientsOf(brand)} {brand.encryption}
            </p>
            {brand.hosting && (
              <p>
                We use {brand.hosting}. A provider’s certificate covers its own facilities, not our
                software or our staff.
              </p>
            )}
            <p>
              Back-ups and copies of e-mails are deleted on a separate schedule. The{" "}
              <a href="/privacy-policy">privacy policy</a> says which, and how to use your rights
              under POPIA; the <a href="/security-policy">security policy</a> says what the software
              does by itself and what depends on us.
            </p>
          </div>
        </Fold>
      </div>
    </section>
  );
}
