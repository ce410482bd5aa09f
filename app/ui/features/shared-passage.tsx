/** An example of a plagiarism report: the same passage in two scripts. */
export function SharedPassage() {
  return (
    <div className="specimen pair">
      <div>
        <p className="label">Script 014, Question 2.1</p>
        <p className="written">
          Erosion is worse there. <mark>The roots hold the soil like fingers hold a ball</mark>, and
          when goats eat the roots it washes away.
        </p>
      </div>
      <div>
        <p className="label">Script 031, Question 2.1</p>
        <p className="written">
          Without plants there is erosion because{" "}
          <mark>the roots hold the soil like fingers hold a ball</mark>. This is called a donga.
        </p>
      </div>
      <p>Their own picture, or the teacher’s from Tuesday? You were there.</p>
    </div>
  );
}
