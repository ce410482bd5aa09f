import { Fold } from "../fold.tsx";

const subjects = [
  {
    kind: "Mathematics, science, technology",
    earns:
      "Method, substitution, accuracy and unit are marked separately. If a slip is carried forward correctly, the later marks stand (CA, as in an NSC memo).",
    yours: "The method that is right and that no memo foresaw",
  },
  {
    kind: "Languages and essays",
    earns:
      "Content and planning; language, style and editing; structure. In the NSC essay that is 30, 15 and 5, and the reason is given for each.",
    yours: "Irony, a joke, a sentence that broke the rule on purpose",
  },
  {
    kind: "Code",
    earns:
      "What the task asked for, the cases at the edge, and whether the next person could read it: three criteria, not one lost semicolon.",
    yours: "A correct solution by a route nobody taught",
  },
  {
    kind: "Diagrams and graphs",
    earns:
      "A mark is proposed for axes, scale, plotted points, labels and unit, as the memo lists them. Treat it as not yet given.",
    yours: "Every drawing: look at it before you give its mark",
  },
];

const levelsTitle = "Levels: from primary school to professional certification";

const levels = [
  ["Primary", "short answers, working"],
  ["Grades 7 to 9", "paragraphs, problems"],
  ["Grades 10 to 12", "essays, SBA, prelims"],
  ["College and university", "assignments, code"],
  ["Professional certification", "case studies"],
];

export function Subjects() {
  return (
    <section className="subjects" aria-labelledby="subjects-title">
      <div className="page">
        <h2 id="subjects-title">Subjects: what earns a mark, and what to look at yourself</h2>
        <dl>
          {subjects.map(({ kind, earns, yours }) => (
            <div key={kind}>
              <dt>{kind}</dt>
              <dd>
                <Fold title={kind}>{earns}</Fold>
              </dd>
              <dd className="note">
                <span className="label">For you to look at</span> {yours}
              </dd>
            </div>
          ))}
        </dl>
        <h3>{levelsTitle}</h3>
        <Fold title={levelsTitle}>
          <ol className="ruler">
            {levels.map(([level, work]) => (
              <li key={level}>
                <b>{level}</b> <span className="faded">{work}</span>
              </li>
            ))}
          </ol>
          <p>
            In the youngest grades the marks are in drawings and strokes, and belong to the teacher
            who sat beside the child.{" "}
            <a href="/ai-exam-marking-for-all-educational-levels">
              What to hand over at each level, and what to keep
            </a>
            .
          </p>
        </Fold>
      </div>
    </section>
  );
}
