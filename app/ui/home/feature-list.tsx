import type { Brand, ClaimName } from "../../brand.ts";
import { FigureLink } from "../figure-link.tsx";

export function FeatureList({ claims }: Pick<Brand, "claims">) {
  return (
    <section className="features" aria-labelledby="features-title">
      <div className="page">
        <h2 id="features-title">Six things it does, and the part that stays with you</h2>
        <dl>
          {features.map(({ title, text, yours, claims: claimed = [] }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                {text}
                {claimed
                  .filter(([name]) => claims[name].figure)
                  .map(([name, textOf]) => (
                    <span className="hint" key={name}>
                      {textOf(claims[name].figure)} (<FigureLink claim={name} />)
                    </span>
                  ))}
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

interface Feature {
  title: string;
  text: string;
  /** Each shown if the institution claims the figure. */
  claims?: [name: ClaimName, text: (figure: string) => string][];
  yours: string;
}

const features: Feature[] = [
  {
    title: "AI-Powered Grading",
    text: "Proposes a mark for essays, calculations, code and short answers, each with the line of your rubric that it rests on.",
    claims: [["accuracy", (figure) => `${figure} accuracy of the proposed marks`]],
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
    text: "In a workspace, puts side by side the passages that two scripts of one batch share. It looks nowhere else.",
    yours: "You judge whether it is copying or the same textbook.",
  },
  {
    title: "Quality Assurance",
    text: "In a workspace, audits checklists and questionnaires, and flags marks that don’t fit the rubric.",
    yours: "You say which flag matters.",
  },
  {
    title: "Massive Time Savings",
    text: "Takes on the first reading of every script, which is most of the evening.",
    claims: [
      ["timeSaved", (figure) => `Cuts grading time by ${figure}, at best`],
      ["hoursSaved", (figure) => `Saves ${figure} a month for a teacher with that much to mark`],
    ],
    yours: "You keep the second reading, and the evening.",
  },
];
