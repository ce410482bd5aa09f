import type { PageText } from "../../domain/page-text.ts";
import { sampleDesk } from "../../site.ts";
import { SectionText } from "../section-text.tsx";

/** An answer for the visitor to mark, then what the model, the memo and two markers say. Works without script. */
export function MarkItYourself({ text }: { text: PageText<"home"> }) {
  const { title, html } = text.sections["mark-it"];
  return (
    <section className="mark-it" aria-labelledby="mark-title">
      <div className="page wide-last">
        <div>
          <SectionText as="h2" id="mark-title" html={title} />
          <SectionText className="lead" html={html} />
        </div>
        <div className="sheet with-margin">
          <p>
            <b className="in-margin figures">4.1</b> Explain why a veld fire runs faster uphill than
            on level ground. <span className="figures">(3)</span>
          </p>
          <p className="hand">
            The fire wants to go up and it makes the grass there warm and dry before it comes.
          </p>
          <fieldset className="cluster">
            <legend>Your mark</legend>
            {verdicts.map((_, mark) => (
              <label key={mark}>
                <input type="radio" name="your-mark" value={mark} className={`gives-${mark}`} />
                <span className="figures">{mark}</span>
              </label>
            ))}
          </fieldset>
          <details>
            <summary className="button">Give your mark</summary>
            <p className="unmarked field-error">Choose 0, 1, 2 or 3 first.</p>
            <Answers />
          </details>
        </div>
      </div>
    </section>
  );
}

/** By the visitor's mark. */
const verdicts = [
  "Nothing? Two of the memo’s three points are there, in the learner’s own words.",
  "One less than the model proposes. One of “warm and dry” and “before it comes” did not count for you.",
  "What the model proposes, and Marker A gave.",
  "One more than the model proposes. You read “wants to go up” as Marker B did.",
];

function Answers() {
  return (
    <div className="answers">
      {verdicts.map((verdict, mark) => (
        <p key={verdict} className={`given given-${mark}`}>
          <b className="in-margin pen figures">{mark}</b> {verdict} Your mark stands.
        </p>
      ))}
      <dl className="rows">
        <div>
          <dt>The model, in pencil</dt>
          <dd className="pencil">
            <b className="in-margin figures">2</b> “Wants to go up” names no hot air.
          </dd>
        </div>
        <div>
          <dt>The memo</dt>
          <dd>
            Hot air rises (1). It warms and dries the grass above (1), which then catches fire
            sooner (1).
          </dd>
        </div>
        <div>
          <dt>Two markers</dt>
          <dd>
            A gave 2: a fire wants nothing. B gave 3: she means that heat rises. To settle that is a
            teacher’s work, and it stays yours.
          </dd>
        </div>
      </dl>
      <p className="hint">
        The answer and the marks are made up.{" "}
        <a className="standalone-link" href={sampleDesk}>
          Mark six more on the sample desk
        </a>
      </p>
    </div>
  );
}
