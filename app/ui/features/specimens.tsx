/** A rubric criterion with a level ringed, and the quotation that earned it. */
export function RubricLine({ isProposed }: { isProposed: boolean }) {
  return (
    <div className="sheet">
      <p className="hint">Economics, Question 5: “cause explained”</p>
      <p className="term figures cluster">
        <span>0</span> <span>1</span> <span>2</span>{" "}
        <span className={isProposed ? "ringed" : "circled"}>
          3<span className="visually-hidden">{isProposed ? " is proposed" : " is given"}</span>
        </span>{" "}
        <span>4</span>
      </p>
      <p className="written">“… the rand fell, so what we import cost more, so prices rose …”</p>
      <p>Cause and link are both there. Level 4 asks for a figure from Source B.</p>
    </div>
  );
}

/** A useless comment struck out, and a useful one in its place. */
export function CommentRewritten() {
  return (
    <div className="sheet">
      <p className="hint">Geography, Question 1.2: 3/4</p>
      <p>
        <del>More detail needed.</del>
      </p>
      <p>
        You name a second reason for the drought but don’t explain it. One sentence that says why
        would have earned the mark.
      </p>
    </div>
  );
}

const averages = [
  { question: "1", about: "Terms", percent: 88 },
  { question: "2", about: "Simple interest", percent: 74 },
  { question: "3", about: "Compound interest", percent: 31 },
  { question: "4", about: "Hire purchase", percent: 62 },
];

export function QuestionAverages() {
  return (
    <div className="sheet">
      <p className="hint">Grade 10 Mathematics, finance test: average by question</p>
      <table className="figures">
        <tbody>
          {averages.map(({ question, about, percent }) => (
            <tr key={question}>
              <th scope="row">
                {question} {about}
                <ShareBar percent={percent} />
              </th>
              <td>{percent < 40 ? <strong>{percent}%</strong> : `${percent}%`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        29 of 32 have at least half of the marks for “Terms” (1), but only 9 of 32 for “Compound
        interest” (3).
      </p>
    </div>
  );
}

export const ShareBar = ({ percent }: { percent: number }) => (
  <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <path d={`M0 3H${percent}`} />
  </svg>
);

export function AuditedQuestion() {
  return (
    <div className="sheet">
      <p className="hint">Course questionnaire, audited</p>
      <p>
        <b>7</b> Were the notes clear and the pace right? Yes / No
      </p>
      <p className="pencil">Two questions in one: a “No” doesn’t say to which.</p>
    </div>
  );
}

export function AddedUp() {
  return (
    <div className="sheet">
      <p className="hint">One class test</p>
      <p className="term figures">
        48 scripts × 11 questions
        <br />= <b>528</b> small numbers
      </p>
      <p>Added without you, and added right.</p>
    </div>
  );
}

/** An example of a plagiarism report: the same passage in two scripts. */
export function SharedPassage() {
  return (
    <div className="sheet">
      <div className="halves">
        <div>
          <p className="hint">Script 014, Question 2.1</p>
          <p className="written">
            Erosion is worse there. <mark>The roots hold the soil like fingers hold a ball</mark>,
            and when goats eat the roots it washes away.
          </p>
        </div>
        <div>
          <p className="hint">Script 031, Question 2.1</p>
          <p className="written">
            Without plants there is erosion because{" "}
            <mark>the roots hold the soil like fingers hold a ball</mark>. This is called a donga.
          </p>
        </div>
      </div>
      <p>Their own picture, or the teacher’s? You were there.</p>
    </div>
  );
}
