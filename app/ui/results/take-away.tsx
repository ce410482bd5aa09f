import { counted } from "../../domain/counted.ts";
import { listedNumber, type MarkedSubmission, type Results } from "../../domain/result.ts";
import { countOfAnswers, progressOf } from "../../results/decision-progress.ts";
import { pointsField, proposalsField, type ResultsLinks } from "./results-urls.ts";

export function TakeAway({ results, links }: { results: Results; links: ResultsLinks }) {
  return (
    <div className="take-away no-print">
      <h3>To take away</h3>
      <div className="halves">
        <ul className="flush">
          <Taken href={links.download("marks")}>Marks as a spreadsheet (CSV)</Taken>
          {results.points && (
            <Taken href={`${links.download("marks")}?${pointsField}`}>
              The same with the points of the memo (CSV)
            </Taken>
          )}
          <Taken href={links.slips(1)}>Feedback slips to print, one learner to a page</Taken>
          <Taken href={links.slips(2)}>Feedback slips to print, two learners to a page</Taken>
        </ul>
        <Gradebooks results={results} links={links} />
      </div>
      <p className="hint">
        {identifiersIn(results)} Compare the preview of the import with this page before you save
        it.
      </p>
    </div>
  );
}

/** The most learners that are named in a sentence: the file has all names. */
const maxNamed = 5;

/** Says whether the gradebook files identify learners by number or by name. */
function identifiersIn({ submissions, sampleFiles }: Results): string {
  const others = submissions.filter((one) => listedNumber(one) === undefined);
  if (others.length === 0) return "These files have the numbers of your class list.";
  if (sampleFiles) return "These files have the names of the learners.";
  const all = others.length === submissions.length;
  const said = all
    ? "No class list has given us your learners’ numbers, so the gradebook files have the names, as you gave them to us, in their place."
    : `The class list has no number for ${namesOf(others)}, so the gradebook files have the name in its place.`;
  return `${said} If your gradebook knows learners by number, send us a list of numbers and names before you import a file.`;
}

function namesOf(submissions: MarkedSubmission[]): string {
  const names = submissions.slice(0, maxNamed).map(({ studentName }) => studentName);
  const more = submissions.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

export const gradebooks: [file: string, name: string][] = [
  ["moodle", "Moodle"],
  ["canvas", "Canvas"],
  ["brightspace", "Brightspace"],
  ["blackboard", "Blackboard"],
];

/** The gradebook files. They have what a person has decided, and proposals only if a box is ticked. */
function Gradebooks({ results, links }: { results: Results; links: ResultsLinks }) {
  const inPencil = progressOf(results.submissions).undecided;
  const textOf = (name: string) => `Gradebook file for ${name} (CSV)`;
  if (inPencil.length === 0) {
    return (
      <ul className="flush">
        {gradebooks.map(([file, name]) => (
          <Taken key={file} href={links.download(file)}>
            {textOf(name)}
          </Taken>
        ))}
      </ul>
    );
  }
  return (
    <form method="get">
      <ul className="flush">
        {gradebooks.map(([file, name]) => (
          <li key={file}>
            <button type="submit" className="link" formAction={links.download(file)}>
              {textOf(name)}
            </button>
          </li>
        ))}
      </ul>
      <label className="check">
        <input type="checkbox" name={proposalsField} />
        {`With ${counted(countOfAnswers(inPencil), "mark")} in pencil, which no person has decided`}
      </label>
      <details>
        <summary>{`Without the tick, no total for ${counted(inPencil.length, "learner")}`}</summary>
        <p>{inPencil.map(({ index }) => results.submissions[index]!.studentName).join(", ")}</p>
      </details>
    </form>
  );
}

const Taken = ({ href, children }: { href: string; children: string }) => (
  <li>
    <a className="standalone-link" href={href}>
      {children}
    </a>
  </li>
);
