const features = [
  {
    title: "AI-Powered Grading",
    text: "Essays, calculations, code and short answers, marked by your rubric. 99.2% accuracy by our own figure, not independently tested.",
  },
  {
    title: "Personalized Feedback",
    text: "Each learner reads why a mark was given and what would have earned the next one.",
  },
  {
    title: "Comprehensive Reports",
    text: "Averages, spread and the questions most of the class missed, for the whole group at once.",
  },
  {
    title: "Plagiarism Detection",
    text: "Passages that two scripts share are put side by side, for you to judge.",
  },
  {
    title: "Quality Assurance",
    text: "Checklists and questionnaires are audited, and marks that do not fit the rubric are flagged.",
  },
  {
    title: "Massive Time Savings",
    text: "Up to 90% less time on first marking by our own figure, not independently tested. Checking stays with you.",
  },
];

export function Features() {
  return (
    <section className="features" aria-labelledby="features-title">
      <div className="page">
        <h2 id="features-title">What it does, in six lines</h2>
        <dl>
          {features.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a href="/features">All features in detail</a>
        </p>
      </div>
    </section>
  );
}
