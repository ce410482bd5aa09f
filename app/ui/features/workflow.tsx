/** Text with margin notes that qualify the headings. */
export function Workflow({ retentionDays }: { retentionDays: number }) {
  const parts = [
    {
      title: "Instant Processing",
      text: "In a workspace that an institution has with us, a batch can go in at any hour, and results are there within minutes: proposed marks, reasons and the report, for your own staff to check. That is our own figure, not independently tested. What takes longer is your part, and it should.",
      note: "Not so the free demo. People run it, check it and answer by e-mail within 24 hours.",
    },
    {
      title: "Continuous Improvement",
      text: "When you overrule a proposal, you say why in one line. The line goes into the memo and the question is run again, so that whoever gave the same answer eleven scripts on gets the same mark. Next year’s paper starts from this year’s memo. What gets better is your rubric, and it is yours.",
      note: "No model is trained on your files, unless your institution has agreed to it in writing.",
    },
    {
      title: "Complete Privacy",
      text: `Learners can be numbers from the first file to the last: the list that ties them to names stays in your school. Only our team reads the files, to mark them. What this website received is deleted after ${retentionDays} days, and a link to results ends after 30.`,
      note: (
        <>
          “Complete” has edges: back-ups, e-mails, whoever runs the model. The{" "}
          <a href="/privacy-policy">privacy policy</a> names each.
        </>
      ),
    },
  ];
  return (
    <section className="workflow" aria-labelledby="workflow-title">
      <div className="page">
        <div className="with-margin-notes">
          <h2 id="workflow-title">How the work goes round</h2>
          {parts.map(({ title, text, note }) => (
            <div key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
              <p className="note">{note}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
