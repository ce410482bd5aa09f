import type { PageText } from "../../domain/page-text.ts";
import { sampleDeskUrl } from "../../site.ts";
import { SectionText } from "../section-text.tsx";

/** An answer for the visitor to mark, then what the memo, two markers and perhaps a model say. Works without script. */
export function MarkItYourself({ text }: { text: PageText<"home"> }) {
  const { "mark-it": section, verdicts } = text.sections;
  return (
    <section className="mark-it rule-above" aria-labelledby="mark-title">
      <div className="page wide-last">
        <div>
          <SectionText as="h2" id="mark-title" html={section.title} />
          <SectionText className="lead" html={section.html} />
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
            {verdicts.items.map(({ title }) => (
              <label key={title} className="check">
                <input type="radio" name="your-mark" value={title} className={`gives-${title}`} />
                <span className="figures">{title}</span>
              </label>
            ))}
          </fieldset>
          <details>
            <summary className="button">Give your mark</summary>
            <p className="unmarked field-error">Choose 0, 1, 2 or 3 first.</p>
            <Answers text={text} />
          </details>
        </div>
      </div>
    </section>
  );
}

function Answers({ text: { sections } }: { text: PageText<"home"> }) {
  return (
    <div className="answers">
      {sections.verdicts.items.map(({ title, html }) => (
        <div key={title} className={`given given-${title}`}>
          <b className="in-margin pen figures">{title}</b>
          <SectionText html={html} />
          <p>Your mark stands.</p>
        </div>
      ))}
      <dl className="rows">
        {sections["mark-it"].items.map(({ title, html, note }) => (
          <div key={title}>
            <SectionText as="dt" html={title} />
            {/* The note of a proposal is its mark, which is in pencil in the margin. */}
            <dd className={note && "pencil"}>
              {note && <SectionText className="in-margin figures" html={note} />}
              <SectionText html={html} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        The answer and the marks are made up.{" "}
        <a className="standalone-link" href={sampleDeskUrl}>
          Mark six more on the sample desk
        </a>
      </p>
    </div>
  );
}
