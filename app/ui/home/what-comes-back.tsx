const marks = [
  {
    question: "1.1",
    asked: "Define evaporation",
    mark: "2/2",
    feedback: "Both parts of the definition are there.",
  },
  {
    question: "1.2",
    asked: "Two reasons for the drought",
    mark: "3/4",
    feedback:
      "The second reason is named but not explained. One sentence on why would earn the mark.",
  },
  {
    question: "1.3",
    asked: "Read the rainfall graph",
    mark: "5/6",
    feedback: "Values are right; the unit (mm) is missing.",
  },
];

export function WhatComesBack() {
  return (
    <section className="what-comes-back" aria-labelledby="back-title">
      <div className="page columns">
        <div>
          <h2 id="back-title">What comes back for each learner</h2>
          <p>
            A mark for every question, the reason for it, and one thing to do better next time. For
            the class: the average, the spread, and the questions that most of them missed.
          </p>
          <p className="faded">The table is an example that we wrote, not a real learner’s work.</p>
        </div>
        <div className="table-frame">
          <table>
            <caption>Example: one learner’s first question</caption>
            <thead>
              <tr>
                <th scope="col">Question</th>
                <th scope="col">Mark</th>
                <th scope="col">Feedback</th>
              </tr>
            </thead>
            <tbody>
              {marks.map(({ question, asked, mark, feedback }) => (
                <tr key={question}>
                  <th scope="row">
                    <span className="figures">{question}</span> {asked}
                  </th>
                  <td className="figures mark">{mark}</td>
                  <td>{feedback}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}
