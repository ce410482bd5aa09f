import { Tick } from "../../islands/form/tick.tsx";

export function Challenge() {
  return (
    <section className="challenge" aria-labelledby="challenge-title">
      <div className="page">
        <h2 id="challenge-title">The Challenge in Assessment Marking</h2>
        <p className="lead">
          Two careful markers who differ by three marks have often both done as they were told. The
          page that told them is where the trouble starts.
        </p>
        <ul className="problems halves">
          <TwoReadings />
          <EqualTotals />
          <AdverbLevels />
          <OneAnswer />
        </ul>
      </div>
    </section>
  );
}

function TwoReadings() {
  return (
    <li>
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
      <h3>One row, two readings</h3>
      <p>
        History, Grade 10. The learner quotes all three sources and argues from one of them. To
        Marker A “effectively” means quoting; to Marker B it means arguing. Neither has broken the
        rubric.
      </p>
    </li>
  );
}

function EqualTotals() {
  return (
    <li>
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
      <h3>The totals agree and the rows don’t</h3>
      <p>
        A school’s own Tourism project. Both columns come to 25, so the totals were checked and
        nobody saw it. A well-made poster with little research behind it gains or loses up to five
        marks, depending on which page lay on top.
      </p>
    </li>
  );
}

function AdverbLevels() {
  return (
    <li>
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
      <h3>Levels that differ by an adverb</h3>
      <p>
        A Grade 8 poster for Creative Arts. Strike out the word that was to be described and read
        what remains. A marker isn’t told what to look for, and a learner isn’t told what to do.
      </p>
    </li>
  );
}

function OneAnswer() {
  return (
    <li>
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
      <h3>A memo with one accepted answer</h3>
      <p>
        Mathematics, Grade 11: solve x²&nbsp;−&nbsp;x&nbsp;−&nbsp;6&nbsp;=&nbsp;0. The first mark is
        for factors. This learner used the formula, found both roots and never wrote a factor. A
        strict marker gives 2, a sensible one 3, and the memo backs the strict one.
      </p>
    </li>
  );
}
