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
      <div className="halves">
        <ul className="flush">
          <Taken href={links.download("marks")}>Marks as a spreadsheet (CSV)</Taken>
          <Taken href={links.slips(1)}>Feedback slips to print, one learner to a page</Taken>
          <Taken href={links.slips(2)}>Feedback slips to print, two learners to a page</Taken>
        </ul>
        <ul className="flush">
          {gradebooks.map(([file, name]) => (
            <Taken
              key={file}
              href={links.download(file)}
            >{`Gradebook file for ${name} (CSV)`}</Taken>
          ))}
        </ul>
      </div>
      <p className="hint">
        A gradebook finds each learner by the name or number in the first column, as you gave it to
        us. Compare the preview of the import with this page before you save it.
      </p>
    </div>
  );
}

const Taken = ({ href, children }: { href: string; children: string }) => (
  <li>
    <a className="standalone-link" href={href}>
      {children}
    </a>
  </li>
);
