import { linkDays, replyHours } from "../../domain/service.ts";
import { Tick } from "../../islands/form/tick.tsx";

const steps = [
  {
    when: "After the test",
    who: "You",
    does: "send three things",
    text: "The question paper, the rubric or memo, and one file for each learner: PDF (a scan too), Word or plain text. Once everything has arrived, you get a reference.",
  },
  {
    when: "While you teach",
    who: "The model",
    does: "reads each answer against the rubric",
    text: "Question by question, it proposes a mark and names the line of the rubric that the mark comes from.",
  },
  {
    when: `Within ${replyHours} hours`,
    who: "One of our team",
    does: "checks what it proposed",
    text: `Then you get a private link by e-mail, which works for ${linkDays} days: the class on one page, each learner’s marks and reasons, slips to print and files for your gradebook. We aim to do this within ${replyHours} hours, weekends included.`,
  },
  {
    when: "In your own time",
    who: "You",
    does: "decide",
    text: "Agree with a mark, change it or throw it out. A demo is for judging us: have the scripts marked by a teacher before any mark counts.",
  },
];

export function HowItWorks() {
  return (
    <section className="how-it-works" aria-labelledby="how-title">
      <div className="page">
        <h2 id="how-title">From a pile of scripts to marks you can defend</h2>
        <ol>
          {steps.map(({ when, who, does, text }) => (
            <li key={when}>
              <p className="when">{when}</p>
              <h3>
                <span className={who === "The model" ? "pencil" : "pen"}>{who}</span> {does}
              </h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <MarkedAnswer />
      </div>
    </section>
  );
}

/** An example: one proposed mark that a teacher accepts, and one that she overrules. */
function MarkedAnswer() {
  return (
    <figure className="script">
      <div className="sheet">
        <p className="question-text">
          <b className="figures">3.2</b> Explain TWO ways in which the leaves of a vygie save water
          in a dry Karoo summer. <span className="figures">(2 × 2)</span>
        </p>
        <p className="hand">They are thick and keep water inside for when there is no rain.</p>
        <p className="pencil">
          <b className="figures">2</b> Storage named, and what it is for.
        </p>
        <p className="pen">
          <Tick /> 2
        </p>
        <p className="hand">They have a skin like wax. The sun cannot pull the water out.</p>
        <p className="pencil">
          <b className="figures">
            <del>1</del>
          </b>{" "}
          Wax named. Its effect on water loss is not.
        </p>
        <p className="pen">
          <Tick /> 2 That is the effect.
        </p>
        <p className="total figures">
          <span className="visually-hidden">Total: </span>4/4
        </p>
      </div>
      <figcaption className="hint">
        Life Sciences, Grade 10. In pencil, what the model proposed; in red, what the teacher
        decided. We wrote the answers ourselves.
      </figcaption>
    </figure>
  );
}
