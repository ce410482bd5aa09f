/** An invented test: one learner's marks, and the class averages in per cent. */
const questions = [
  {
    number: "1.1",
    asked: "Define evaporation",
    mark: "2/2",
    feedback: "Both parts of the definition are there.",
    average: 88,
  },
  {
    number: "1.2",
    asked: "Two reasons for the drought",
    mark: "3/4",
    feedback:
      "The second reason is named, not explained. A sentence with “because” earns the mark.",
    average: 55,
  },
  {
    number: "1.3",
    asked: "Read the rainfall graph",
    mark: "5/6",
    feedback: "The values are right. The unit (mm) is missing.",
    average: 74,
  },
];

export function WhatComesBack() {
  return (
    <section className="what-comes-back" aria-labelledby="back-title">
      <div className="page">
        <h2 id="back-title">One test, read twice: by the learner and by you</h2>
        <p className="lead">
          A learner asks “what did I lose, and why?” A teacher asks “what do I teach again?” The
          same marking answers both.
        </p>
        <div className="sheets">
          <LearnerSheet />
          <ClassSheet />
        </div>
        <p className="hint">Both sheets are an example that we made up.</p>
      </div>
    </section>
  );
}

function LearnerSheet() {
  return (
    <div className="sheet">
      <h3>For learner 17</h3>
      <ul>
        {questions.map(({ number, asked, mark, feedback }) => (
          <li key={number}>
            <p>
              <span>
                <span className="number figures">{number}</span> {asked}
              </span>
              <b className="figures">{mark}</b>
            </p>
            <p className="faded">{feedback}</p>
          </li>
        ))}
      </ul>
      <p className="total figures">
        <span className="visually-hidden">Total: </span>10/12
      </p>
    </div>
  );
}

function ClassSheet() {
  return (
    <div className="sheet class-sheet">
      <h3>For the teacher of 34</h3>
      <ul>
        {questions.map(({ number, asked, average }) => (
          <li key={number}>
            <p>
              <span>
                <span className="number figures">{number}</span> {asked}
              </span>
              <span className="figures">{average}%</span>
            </p>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <path d="M0 2h100" />
              <path d={`M0 2h${average}`} />
            </svg>
          </li>
        ))}
      </ul>
      <p className="faded">1.2: 18 of 34 have less than half of its marks.</p>
      <p className="pen">Teach 1.2 again on Monday.</p>
    </div>
  );
}
