import { Fold } from "../fold.tsx";

const useCases = [
  {
    title: "Higher Education",
    tab: "NQF 5 to 10",
    situation: "Many markers, one rubric, and an external examiner who asks why.",
    uses: [
      "500 first-year essays and nine tutors: wherever a tutor and the proposal differ by three marks or more, the convenor reads the script.",
      "A programming assignment: correctness, readability and tests marked apart, with the line named.",
      "A supplementary exam that has to be back in three days, each mark with its reason for the examiner.",
    ],
    signs: "The convenor or examiner signs",
  },
  {
    title: "Primary & Secondary Schools",
    tab: "Up to Grade 12",
    situation: "CAPS tasks, SBA files, and a pile that has to be back before the next test.",
    uses: [
      "Grade 6 Mathematics in four classes: the working is marked, not only the answer.",
      "90 Business Studies essays from the prelims: the content proposed, the insight left to the teacher.",
      "A formal task for SBA: the proposed mark and yours kept side by side for the moderator.",
    ],
    signs: "The teacher signs, then the moderator",
  },
  {
    title: "Online Learning",
    tab: "Courses and certificates",
    situation: "Work that arrives at any hour, from people you have never met.",
    uses: [
      "A weekly task that 1\u00a0200 people hand in by midnight, with a comment for each before they go on.",
      "Workplace training: the written answers of a portfolio held against the assessment criteria, and gaps named in month three. Photographs, logbooks and signatures stay with the assessor.",
      "A professional certificate: any error on your critical list goes to two examiners, whatever the total.",
    ],
    signs: "The assessor or awarding body signs",
  },
];

/** Three use cases, styled as file dividers. */
export function UseCases() {
  return (
    <section className="use-cases" aria-labelledby="settings-title">
      <div className="page">
        <h2 id="settings-title">Three places to use it</h2>
        <p className="faded">The use cases are examples, not customers.</p>
        <div className="dividers">
          {useCases.map(({ title, tab, situation, uses, signs }) => (
            <article key={title}>
              <p className="tab">{tab}</p>
              <h3>{title}</h3>
              <Fold title={title}>
                <p>{situation}</p>
                <ul>
                  {uses.map((use) => (
                    <li key={use}>{use}</li>
                  ))}
                </ul>
              </Fold>
              <p className="signs">{signs}</p>
            </article>
          ))}
        </div>
        <p>
          It plays no part in the final NSC examinations, which appointed markers mark at marking
          centres.
        </p>
      </div>
    </section>
  );
}
