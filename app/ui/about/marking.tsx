import { Tick } from "../../islands/form/tick.tsx";
import { Fold } from "../fold.tsx";

interface Step {
  by: "You" | "Our team" | "The model";
  what: string;
  text: string;
  /** Caption of the signature, for steps that a person signs off. */
  signed?: string;
}

const steps: Step[] = [
  {
    by: "You",
    what: "Send what counts",
    text: "Questions, rubric or memo, and the scripts, with numbers in place of names. What the rubric doesn’t say, we can’t know.",
  },
  {
    by: "Our team",
    what: "Takes the files in",
    text: "The program has looked at each file’s type and shown you a reference. A person takes the files out and gives them to the model.",
  },
  {
    by: "The model",
    what: "Proposes",
    text: "It reads every answer against the rubric, proposes a mark for each question and writes down why. It doesn’t know whose script it is, if the names are off.",
  },
  {
    by: "Our team",
    what: "Checks",
    text: "One of us goes through the proposals and changes what doesn’t hold. Nothing goes back to you before that.",
    signed: "Checked, by us",
  },
  {
    by: "You",
    what: "Decide",
    text: "You accept a mark, change it or throw it out, and give your reason in a line. The learner gets the mark that you signed.",
    signed: "Awarded, by you",
  },
];

const does = [
  "Reads one answer at a time, with the rubric beside it",
  "Gives a reason with every mark it proposes",
  "Drafts the comment that you may send, change or delete",
  "Puts side by side the passages that two scripts share",
];

const doesNot = [
  "Award, withhold or publish a mark",
  "Call a learner a cheat",
  "Learn from your files, unless your institution has agreed to it in writing",
  "Mark orals, practicals or anything else that isn’t on the page",
];

export function Marking() {
  return (
    <section className="marking" id="marking" aria-labelledby="marking-title">
      <div className="page">
        <h2 id="marking-title">How marking works, and who decides</h2>
        <p className="lead">
          Five steps for work sent through this site. One of them is the model’s.
        </p>
        <ol className="marking-steps">
          {steps.map(({ by, what, text, signed }) => (
            <li key={what} className={by === "The model" ? "model" : undefined}>
              <h3>
                <span>{by}</span> {what}
              </h3>
              <p>{text}</p>
              {signed && (
                <p className="signed">
                  <Signature by={by} />
                  {signed}
                </p>
              )}
            </li>
          ))}
        </ol>
        <Capabilities />
      </div>
    </section>
  );
}

function Capabilities() {
  return (
    <div className="capabilities">
      <div>
        <h3>What the model does</h3>
        <Fold title="What the model does">
          <ul>
            {does.map((line) => (
              <li key={line}>
                <Tick /> {line}
              </li>
            ))}
          </ul>
        </Fold>
      </div>
      <div>
        <h3>What it doesn’t do</h3>
        <Fold title="What it doesn’t do">
          <ul>
            {doesNot.map((line) => (
              <li key={line}>
                <Cross /> {line}
              </li>
            ))}
          </ul>
        </Fold>
      </div>
      <div>
        <h3>What goes wrong</h3>
        <Fold title="What goes wrong">
          <p>
            It can misread an answer, miss a valid method or reward a fluent mistake, and a person
            who checks it can overlook that. So don’t let a demo mark count towards a learner’s
            record, unless a qualified person has marked the same work.
          </p>
          <p>
            A learner who disagrees asks you or your institution. The recorded reason is there to
            argue with, and you can change the mark.
          </p>
        </Fold>
      </div>
    </div>
  );
}

/** A different signature for each of the two people. */
function Signature({ by }: { by: Step["by"] }) {
  return (
    <svg className="signature" viewBox="0 0 150 40" width="150" height="40" aria-hidden="true">
      <path
        d={
          by === "You"
            ? "M10 10c10-6 18 0 12 9S6 36 14 35 34 8 40 9s-14 25-6 25 12-17 16-15-3 13 4 13 8-12 13-12-1 11 6 11 9-7 14-7 8 5 15 2 26-5 40-12"
            : "M6 31C14 6 24 2 22 14S10 35 15 25 33 6 34 16s-5 17 3 8 9-13 11-4 8 5 13-2 8 9 13 2 7-7 10-1 10 4 16 0 26-5 44-7"
        }
      />
    </svg>
  );
}

function Cross() {
  return (
    <svg className="cross" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M5 6c4 3 9 8 13 13M18 5C14 9 9 14 6 20" />
    </svg>
  );
}
