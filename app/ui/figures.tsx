import type { Brand, Claim, ClaimName } from "../brand.ts";
import type { Agreement } from "../results/agreement.ts";

/** The titles of the figures, in the order of the page. */
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
        These are our own claims. The last column names who says so; none was tested from outside.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="table-frame" tabIndex={0} aria-label="Figures">
        <table className="claims">
          <thead>
            <tr>
              <th scope="col">Claim</th>
              <th scope="col">What it means</th>
              <th scope="col">Who says so</th>
            </tr>
          </thead>
          <tbody>
            {claimed.map(([name, title]) => (
              <tr key={name} id={name}>
                <th scope="row">{title(claims[name].figure)}</th>
                <td>{meaningOf(claims[name]) || "What was counted is not published."}</td>
                <td>{claims[name].countedBy || "We"}</td>
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

/** How the decisions of the sample agree with its proposals, counted as `results agreement` counts. */
export function SampleAgreement({
  agreement,
}: {
  agreement: Pick<Agreement, "n" | "exact" | "withinOne">;
}) {
  const { n, exact, withinOne } = agreement;
  return (
    <p>
      <strong>{`${exact} of ${n} decisions equal the proposal; ${withinOne} of ${n} are within one mark.`}</strong>
    </p>
  );
}
