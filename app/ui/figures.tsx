import type { Brand, Claim, ClaimName } from "../brand.ts";
import { ContactAddress } from "./contact-address.tsx";

/** What each figure is of, in the order of the page. */
const subjects: [name: ClaimName, title: (figure: string) => string][] = [
  ["accuracy", (figure) => `${figure} accuracy of proposed marks`],
  ["agreement", (figure) => `${figure} accuracy against human graders`],
  ["timeSaved", (figure) => `Grading time cut by ${figure}`],
  ["gradingTime", (figure) => `${figure} less grading time, in an article`],
  ["hoursSaved", (figure) => `${figure} saved for a teacher in a month`],
  ["speed", (figure) => `Results ${figure}`],
  ["volume", (figure) => `Assessment volume: ${figure}`],
  ["availability", (figure) => `Open ${figure}`],
  ["languages", (figure) => `Scripts and feedback in ${figure} official languages`],
];

/** One table of the figures that the brand claims. */
export function FiguresTable({ claims }: Pick<Brand, "claims">) {
  const claimed = subjects.filter(([name]) => claims[name].figure);
  if (claimed.length === 0) {
    return (
      <p>We publish no figures about accuracy, time or volume. Judge by scripts of your own.</p>
    );
  }
  return (
    <>
      <p className="lead">
        These are our own claims: only those named in the last column have tested one.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="table-frame" tabIndex={0} aria-label="Figures">
        <table className="claims">
          <thead>
            <tr>
              <th scope="col">Claim</th>
              <th scope="col">What it means</th>
              <th scope="col">Who tested it</th>
            </tr>
          </thead>
          <tbody>
            {claimed.map(([name, title]) => (
              <tr key={name} id={name}>
                <th scope="row">{title(claims[name].figure)}</th>
                <td>{meaningOf(claims[name]) || "What was counted is not published."}</td>
                <td>{claims[name].countedBy}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** What was counted, on what and when, as far as it is stated. */
const meaningOf = ({ definition, basis, date }: Claim) =>
  [definition, basis, date]
    .filter(Boolean)
    .map((text) => text.replace(/([^.])$/, "$1."))
    .join(" ");

/** What is known, and done, about a model that does not answer twice alike. */
export function SameScriptTwice({ brand }: { brand: Brand }) {
  return (
    <>
      <h2 id="twice">The same script twice</h2>
      <p>
        A person who marks script 7 and script 700 can drift. A model doesn’t tire, but it can
        propose two marks for the same answer when it is asked twice, and no supplier should call
        that impossible. This is what you can do about it:
      </p>
      <ul>
        <li>
          Every proposed mark names the line of the rubric that it comes from, so that a difference
          can be seen and argued.
        </li>
        <li>When you decide, look for equal answers with unequal marks.</li>
        <li>
          When you change a rule, decide the question again for all scripts, not only for the ones
          that are left.
        </li>
      </ul>
      <p>
        You can test it: put the same five scripts into a demo twice, under other numbers, and
        compare. If the marks differ by more than two of your own markers would, write to{" "}
        <ContactAddress email={brand.email} />.
      </p>
    </>
  );
}
