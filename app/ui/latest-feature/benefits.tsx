import { Tick } from "../../islands/form/tick.tsx";

/** In chronological order. */
const moments = [
  {
    moment: "Before printing",
    title: "Faults cost an email",
    text: "A missing mark that is found on the draft is a line to retype. Found after the test, it’s a re-mark, and a message to parents.",
    who: "The teacher who sets the paper",
  },
  {
    moment: "While marking",
    title: "Script 4 and script 140 meet the same line",
    text: "The doubtful answers have been settled in the memo, so a marker at ten at night need not remember what was decided at four.",
    who: "The marker with the pile",
  },
  {
    moment: "At moderation",
    title: "There’s something to moderate against",
    text: "A departmental head re-marks the sample and can name the mark that she wouldn’t have given. The talk is about the answer, not about what “good” means.",
    who: "Departmental head or internal moderator",
  },
  {
    moment: "After the results",
    title: "A query has an answer",
    text: "“Why only 3?” The row says which three marks were not earned. The institution can show it to a learner, a parent or an appeal panel.",
    who: "The school, college or university",
  },
];

export function Benefits() {
  return (
    <section aria-labelledby="benefits-title">
      <div className="page">
        <h2 id="benefits-title">Benefits for Educators &amp; Institutions</h2>
        <p className="lead">
          A repaired row is read by four people at four moments. Here is what it does for each.
        </p>
        <ol className="quarters">
          {moments.map(({ moment, title, text, who }) => (
            <li key={moment}>
              <p className="moment">
                <Tick />
                {moment}
              </p>
              <h3>{title}</h3>
              <p>{text}</p>
              <p className="hint">{who}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
