const steps = [
  {
    title: "You send three things",
    text: "The questions, the rubric or memo, and the learners’ submissions, as PDF, Word or plain text. Nothing to install and no account.",
  },
  {
    title: "Each script is read against the rubric",
    text: "Question by question. A mark is proposed only where the rubric says what it is given for, and the line of the rubric is named beside it.",
  },
  {
    title: "A teacher decides",
    text: "You get proposals, not verdicts. What you change stays changed, and the final mark is yours.",
  },
];

export function HowItWorks() {
  return (
    <section className="how-it-works" aria-labelledby="how-title">
      <div className="page">
        <h2 id="how-title">From a pile of scripts to marks you can defend</h2>
        <ol>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
