import type { PageText } from "../../domain/page-text.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { ButtonLink } from "../button.tsx";
import { Drawing } from "../drawing.tsx";
import { PageSection, SectionText } from "../section-text.tsx";
import levelScale from "./level-scale.svg?raw";

const rows = [
  ["2.1", "3", "3", "3"],
  ["2.2", "4", "4", "4"],
  ["2.3", "6", "6", "3"],
  ["2.4", "5", "5", "5"],
] as const;

export function Hero({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html, note } = text.sections.hero;
  return (
    <section aria-labelledby="smart-title">
      <div className="page wide-first centred">
        <div>
          <p>
            <span className="badge">Latest Feature</span>
          </p>
          <SectionText as="h1" id="smart-title" html={title} />
          <SectionText className="lead" html={html} />
          <div className="actions">
            <ButtonLink href="#upload">Try Smart Rubric Now</ButtonLink>
          </div>
          <SectionText className="hint" html={note} />
        </div>
        <div className="sheet agreement with-margin">
          <table className="figures">
            <caption>
              Marks for Question 2 of a Grade 7 Natural Sciences test, in three documents. A made-up
              example, faults included.
            </caption>
            <thead>
              <tr>
                <th scope="col">Question</th>
                <th scope="col">Paper</th>
                <th scope="col">Rubric</th>
                <th scope="col">Memo</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([question, paper, rubric, memo]) => (
                <tr key={question}>
                  <th scope="row">{question}</th>
                  <td>{paper}</td>
                  <td>{rubric}</td>
                  <td>{memo === paper ? memo : <span className="ringed">{memo}</span>}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Total</th>
                <td>18</td>
                <td>18</td>
                <td>15</td>
              </tr>
            </tfoot>
          </table>
          <p className="pencil">Where are the other three?</p>
        </div>
      </div>
    </section>
  );
}

export function Benefits({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html, items } = text.sections.benefits;
  return (
    <PageSection titleId="benefits-title" title={title}>
      <SectionText className="lead" html={html} />
      <ol className="quarters">
        {items.map(({ title, html, note }) => (
          <li key={title}>
            <h3 className="moment">
              <Tick /> <span dangerouslySetInnerHTML={{ __html: title }} />
            </h3>
            <SectionText html={html} />
            <SectionText className="hint" html={note} />
          </li>
        ))}
      </ol>
    </PageSection>
  );
}

export function WhyItMatters({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html } = text.sections.why;
  return (
    <section aria-labelledby="why-title">
      <div className="page wide-first centred">
        <div>
          <SectionText as="h2" id="why-title" html={title} />
          <SectionText html={html} />
          <div className="actions">
            <ButtonLink href="#upload">Get Started Now</ButtonLink>
          </div>
        </div>
        <Drawing
          svg={levelScale}
          className="scale"
          role="img"
          aria-label="A scale of marks out of 50. Level 3 ends and Level 4 begins at 25, which is 50 per cent. 24 and 26, by the old memo and the old rubric, lie on either side of that line; a red ring is around 25."
        />
      </div>
    </section>
  );
}
