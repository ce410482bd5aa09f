import type { Brand } from "../../brand.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { Fold } from "../fold.tsx";

interface ChecklistItem {
  what: string;
  text: string;
  /** Who does it; undefined for what is not done. */
  by: string | undefined;
}

/** A checklist with ticked and empty boxes. */
export function Security({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <section className="security" aria-labelledby="security-title">
      <div className="page">
        <h2 id="security-title">Security and compliance: what is done, and what is not</h2>
        <Fold title="Point by point">
          <ul className="checklist">
            {checklistItems(brand, retentionDays).map(({ what, text, by }) => (
              <li key={what}>
                <span className="box">{by && <Tick />}</span>
                <h3>{what}</h3>
                <p>{text}</p>
                <p className="label">{by ?? "Not done, and not claimed"}</p>
              </li>
            ))}
          </ul>
        </Fold>
        <p>
          <a href="/security-policy">The security policy</a> says where each protection stops, and
          what happens in a breach.
        </p>
      </div>
    </section>
  );
}

function checklistItems({ hosting, encryption }: Brand, retentionDays: number): ChecklistItem[] {
  const items: (ChecklistItem | "")[] = [
    hosting && { what: "Hosting", text: `We use ${hosting}.`, by: "By the provider" },
    encryption && {
      what: "Encryption",
      text: `${encryption} On the way, by HTTPS; at rest, by the disk or the hosting: the program doesn’t encrypt its database file itself.`,
      by: "By us and the provider",
    },
    {
      what: "Who reaches files",
      text: "No web address gives an uploaded file back. Our staff take it out, by a command on the server.",
      by: "By us and the program",
    },
    {
      what: "What comes in",
      text: "Each file’s content is checked against its type. Encrypted files and files with macros are refused.",
      by: "By the program",
    },
    {
      what: "What goes",
      text: `After ${retentionDays} days a request is deleted with its files, and their bytes are overwritten in the database.`,
      by: "By the program",
    },
    {
      what: "POPIA",
      text: "For learners’ work your institution is the responsible party, and we are its operator under a written contract. No mark rests on a model alone, as section 71 asks.",
      by: "By you and us",
    },
    {
      what: "A certificate of our own",
      text: "A hosting provider’s certificate covers its facilities, not our software or our staff.",
      by: undefined,
    },
    {
      what: "A virus scan",
      text: "Looking at what a file is doesn’t tell whether it’s harmful. Scan before you send, and after you receive.",
      by: undefined,
    },
  ];
  return items.filter((item) => item !== "");
}
