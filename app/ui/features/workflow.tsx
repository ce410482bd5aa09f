import type { Brand } from "../../brand.ts";
import { linkDays, replyHours } from "../../domain/service.ts";
import { FigureLink } from "../figure-link.tsx";
import { Fold } from "../fold.tsx";
import { recipientsOf } from "../notice-texts.ts";

/** Text with margin notes that qualify the headings. */
export function Workflow({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  const { speed } = brand.claims;
  const parts = [
    {
      title: "Instant Processing",
      text: (
        <>
          In a workspace that an institution has with us, a batch can go in at any hour. Proposed
          marks, reasons and the report are there
          {speed.figure ? (
            <>
              {` ${speed.figure} (`}
              <FigureLink claim="speed" />)
            </>
          ) : (
            " once the model has read it"
          )}
          , for your own staff to check. What takes longer is your part, and it should.
        </>
      ),
      note: `Not so the free demo. People run it, check it and answer by e-mail within ${replyHours} hours.`,
    },
    {
      title: "Continuous Improvement",
      text: "When you overrule a proposal, you say why in one line. The line goes into the memo and the question is run again, so that the same answer eleven scripts on gets the same mark. Next year’s paper starts from this year’s memo. What gets better is your rubric, and it is yours.",
      note: "No model is trained on your files, unless your institution has agreed to it in writing.",
    },
    {
      title: "Complete Privacy",
      text: `Learners can be numbers from the first file to the last: the list that ties them to names stays in your school. We use the files to mark them. ${recipientsOf(brand)} What this website received is deleted after ${retentionDays} days, and a link to results ends after ${linkDays}.`,
      note: (
        <>
          “Complete” has edges: back-ups, e-mails, the provider of the model. The{" "}
          <a href="/privacy-policy">privacy policy</a> names each.
        </>
      ),
    },
  ];
  return (
    <section className="workflow" aria-labelledby="workflow-title">
      <div className="page">
        <div className="with-margin-notes">
          <h2 id="workflow-title">From one batch to the next</h2>
          {parts.map(({ title, text, note }) => (
            <div key={title}>
              <h3>{title}</h3>
              <Fold title={title}>
                <p>{text}</p>
              </Fold>
              <p className="note">{note}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
