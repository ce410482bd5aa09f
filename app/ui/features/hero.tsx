import type { Brand } from "../../brand.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { ButtonLink } from "../button.tsx";

const sections = [
  { id: "six-title", label: "Six features" },
  { id: "subjects-title", label: "Subjects and levels" },
  { id: "languages-title", label: "Languages" },
  { id: "time-title", label: "Time saved" },
  { id: "settings-title", label: "Where to use it" },
  { id: "workflow-title", label: "How it works" },
  { id: "security-title", label: "Security" },
  { id: "platforms-title", label: "LMS compatibility" },
];

export function Hero({ brand }: { brand: Brand }) {
  return (
    <section className="hero">
      <div className="page">
        <h1>Everything between collecting the scripts and signing the marks</h1>
        <div className="beside">
          <div>
            <p className="lead">
              {brand.name} reads essays, maths and code against your own rubric, proposes a mark
              with its reason for every question, and shows you what the class did not understand.
              You check, change and sign.
            </p>
            <div className="actions">
              <ButtonLink href="/#demo">Try Free Demo</ButtonLink>
              <a href="/about#marking">How marking works, step by step</a>
            </div>
            <nav aria-label="On this page">
              <ul>
                {sections.map(({ id, label }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{label}</a>
                  </li>
                ))}
              </ul>
            </nav>
          </div>
          <MarkedAnswer />
        </div>
      </div>
    </section>
  );
}

const working = ["80% is R480", "so 10% is R60", "and 100% is R600"];

/** An example of one answer: the proposed mark, and in red the teacher's decision. */
function MarkedAnswer() {
  return (
    <figure className="answer">
      <div className="script">
        <p>
          <b>4.2</b> A jacket costs R480 after a discount of 20%. What did it cost before? (3)
        </p>
        <ol>
          {working.map((line) => (
            <li key={line}>
              {line} <Tick />
            </li>
          ))}
        </ol>
        <dl>
          <div>
            <dt>The model proposes</dt>
            <dd className="figures">
              <del>2/3</del>
            </dd>
            <dd>
              The answer is right. The memo gives a mark for 480 ÷ 0,8, and that division is not
              shown.
            </dd>
          </div>
          <div className="red">
            <dt>The teacher decides</dt>
            <dd className="figures">
              <ins>3/3</ins>
            </dd>
            <dd>
              A valid method that the memo forgot. Added to the memo; question 4.2 run again for the
              class.
            </dd>
          </div>
        </dl>
      </div>
      <figcaption>An example that we wrote. What is in red, the teacher decided.</figcaption>
    </figure>
  );
}
