import type { ResultsLinks } from "./results-urls.ts";

/** What can be downloaded and printed. */
export function TakeAway({ links }: { links: ResultsLinks }) {
  const gradebooks: [file: string, name: string][] = [
    ["moodle", "Moodle"],
    ["canvas", "Canvas"],
    ["brightspace", "Brightspace"],
    ["blackboard", "Blackboard"],
  ];
  return (
    <div className="take-away no-print">
      <h3>To take away</h3>
      <ul className="links">
        <li>
          <a href={links.download("marks")}>Marks as a spreadsheet (CSV)</a>
        </li>
        <li>
          <a href={links.slips(1)}>Feedback slips to print, one learner to a page</a>
        </li>
        <li>
          <a href={links.slips(2)}>Feedback slips to print, two learners to a page</a>
        </li>
        {gradebooks.map(([file, name]) => (
          <li key={file}>
            <a href={links.download(file)}>Gradebook file for {name} (CSV)</a>
          </li>
        ))}
      </ul>
      <p className="hint">
        A gradebook finds each learner by the name or number in the first column, as you gave it to
        us. Compare the preview of the import with this page before you save it.
      </p>
    </div>
  );
}
