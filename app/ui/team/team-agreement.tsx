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

/** A link to the page with the figures, which is separate because they need every decision. Null on that page. */
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
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agreement.map((line) => (
              <Line key={`${line.questionNumber} ${line.group}`} line={line} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const columns = [
  "Question",
  "How",
  "Answers",
  "Equal",
  "Within one mark",
  "Mean difference",
  "Kappa",
];

/** A line has answers, so its means are not null. */
function Line({ line }: { line: ClassAgreement[number] }) {
  const { questionNumber, group, n, ownMean: own } = line;
  const cells = [
    groupLabels[group],
    String(n),
    `${shareText(line.exact, n)} [${shareText(own.exact, n)}]`,
    `${shareText(line.withinOne, n)} [${shareText(own.withinOne, n)}]`,
    `${signedDifference(line.meanDifference!)} [${signedDifference(own.meanDifference!)}]`,
    `${kappaText(line.kappa)} [${kappaText(own.kappa)}]`,
  ];
  return (
    <tr>
      <th scope="row">{questionNumber ?? "all"}</th>
      {cells.map((cell, index) => (
        <td key={columns[index + 1]}>{cell}</td>
      ))}
    </tr>
  );
}
