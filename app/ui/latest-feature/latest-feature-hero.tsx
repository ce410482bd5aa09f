import type { PageText } from "../../domain/page-text.ts";
import { ButtonLink } from "../button.tsx";
import { SectionText } from "../section-text.tsx";

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
