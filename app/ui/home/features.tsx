import type { Brand } from "../../brand.ts";

export function Features({ claims }: Pick<Brand, "claims">) {
  return (
    <section className="features" aria-labelledby="features-title">
      <div className="page">
        <h2 id="features-title">Six things it does, and the part that stays with you</h2>
        <dl>
          {featuresWith(claims).map(({ title, text, yours, claim }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                {text}
                {claim && <span className="hint">{claim}</span>}
              </dd>
              <dd className="yours">{yours}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a className="standalone-link" href="/features">
            All features, with examples
          </a>
        </p>
      </div>
    </section>
  );
}

const featuresWith = ({ accuracy, timeSaved, hoursSaved }: Brand["claims"]) => [
  {
    title: "AI-Powered Grading",
    text: "Proposes a mark for essays, calculations, code and short answers, each with the line of your rubric that it rests on.",
    claim:
      accuracy &&
      `${accuracy} accuracy of the proposed marks: our own figure, not independently tested.`,
    yours: "You award the mark.",
  },
  {
    title: "Personalized Feedback",
    text: "Tells each learner why a mark was given and what would have earned the next one.",
    yours: "You set the tone, and say in person what is better said in person.",
  },
  {
    title: "Comprehensive Reports",
    text: "Average, median, spread, and the question to teach again.",
    yours: "You decide what to teach again on Monday.",
  },
  {
    title: "Plagiarism Detection",
    text: "Puts side by side the passages that two scripts of one batch share. It looks nowhere else.",
    yours: "You judge whether it is copying or the same textbook.",
  },
  {
    title: "Quality Assurance",
    text: "Audits checklists and questionnaires, and flags marks that do not fit the rubric.",
    yours: "You say which flag matters.",
  },
  {
    title: "Massive Time Savings",
    text: "Takes on the first reading of every script, which is most of the evening.",
    claim:
      timeSaved &&
      `Saves ${timeSaved} of the time that first marking takes${hoursSaved && `, ${hoursSaved} a month for a teacher who marks that much`}: our own figures, not independently tested.`,
    yours: "You keep the second reading, and the evening.",
  },
];
