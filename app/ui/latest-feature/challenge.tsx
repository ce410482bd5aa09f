import type { PageText } from "../../domain/page-text.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

/** An example of each problem, in the order of the problems in the text. */
const examples = [
  <TwoReadings key="readings" />,
  <EqualTotals key="totals" />,
  <AdverbLevels key="levels" />,
  <OneAnswer key="answer" />,
];

export function Challenge({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html, items } = text.sections.challenge;
  return (
    <PageSection className="rule-above" titleId="challenge-title" title={title}>
      <SectionText className="lead" html={html} />
      <ul className="problems halves">
        {items.map(({ title, html, place }) => (
          <li key={title}>
            {examples[place]}
            <SectionText as="h3" html={title} />
            <SectionText html={html} />
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

function TwoReadings() {
  return (
    <div className="sheet flush">
      <p className="term">Uses the sources effectively (8)</p>
      <p className="cluster">
        <span>
          Marker A <span className="circled figures">7</span>
        </span>
        <span>
          Marker B <span className="circled figures">4</span>
        </span>
      </p>
    </div>
  );
}

function EqualTotals() {
  return (
    <div className="sheet">
      <table className="figures">
        <caption className="visually-hidden">Marks in the rubric and in the memo</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Rubric</th>
            <th scope="col">Memo</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Research</th>
            <td>15</td>
            <td>
              <span className="ringed">20</span>
            </td>
          </tr>
          <tr>
            <th scope="row">Presentation</th>
            <td>10</td>
            <td>
              <span className="ringed">5</span>
            </td>
          </tr>
          <tr>
            <th scope="row">Total</th>
            <td>25</td>
            <td>25</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function AdverbLevels() {
  return (
    <div className="sheet term flush">
      <ol reversed>
        <li>
          Very <del>creative</del>
        </li>
        <li>
          <del>Creative</del>
        </li>
        <li>
          Somewhat <del>creative</del>
        </li>
        <li>
          Not <del>creative</del>
        </li>
      </ol>
    </div>
  );
}

function OneAnswer() {
  return (
    <div className="sheet flush figures">
      <p>
        <span className="hint">Memo</span> (x − 3)(x + 2) = 0 <Tick />
        <br />x = 3 <Tick /> or x = −2 <Tick />
      </p>
      <p>
        <span className="hint">Learner</span> x = (1 ± 5) ÷ 2
        <br />x = 3 or x = −2 <span className="circled">2/3?</span>
      </p>
    </div>
  );
}
