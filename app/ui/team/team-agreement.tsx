import {
  type ClassAgreement,
  groupLabels,
  kappaText,
  shareText,
  signedDifference,
} from "../../results/agreement.ts";
import type { PartId } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

/** A link to the page with the figures, except on that page itself. Only that page reads every decision. */
export function AgreementLink({
  shown: { token, agreement },
  part,
  text,
}: {
  shown: ShownTeam;
  part: PartId;
  text: string;
}) {
  if (agreement) return null;
  const href = `${teamLinks(token).agreement}#${part}`;
  return (
    <p>
      <a className="standalone-link" href={href}>
        {text}
      </a>
    </p>
  );
}

/** How far decisions agree with the proposals, or a link to the page that counts this. */
export function TeamAgreement({ shown }: { shown: ShownTeam }) {
  const { agreement } = shown;
  if (!agreement) {
    const text = "How far decisions agree with the proposals";
    return <AgreementLink shown={shown} part="proposals" text={text} />;
  }
  if (agreement.length === 0) return <p>No proposal is decided yet.</p>;
  return (
    <>
      <h3 id="agreement-title">Agreement with the proposals</h3>
      <p className="hint">
        It says nothing about who is right. In brackets, what the mean of each question’s decided
        marks would have got as the proposal for all. Kappa is within questions.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="table-frame" aria-labelledby="agreement-title" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Question</th>
              {columns.map(([title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agreement.map((line) => (
              <tr key={`${line.questionNumber} ${line.group}`}>
                <th scope="row">{line.questionNumber ?? "all"}</th>
                {columns.map(([title, textOf]) => (
                  <td key={title}>{textOf(line)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

type Line = ClassAgreement[number];

/** Writes a figure, and in brackets the same figure if each proposal were the mean of its question. */
const withOwnMean = (textOf: (figures: Line["ownMean"], n: number) => string) => (line: Line) =>
  `${textOf(line, line.n)} [${textOf(line.ownMean, line.n)}]`;

/** The columns after the question. A line has answers, so its means are not null. */
const columns: [title: string, textOf: (line: Line) => string][] = [
  ["How", ({ group }) => groupLabels[group]],
  ["Answers", ({ n }) => String(n)],
  ["Equal", withOwnMean(({ exact }, n) => shareText(exact, n))],
  ["Within one mark", withOwnMean(({ withinOne }, n) => shareText(withinOne, n))],
  ["Mean difference", withOwnMean(({ meanDifference }) => signedDifference(meanDifference!))],
  ["Kappa", withOwnMean(({ kappa }) => kappaText(kappa))],
];
