import { Fragment } from "react";
import type { Brand, Claim, ClaimName } from "../brand.ts";
import { ContactAddress } from "./contact-address.tsx";
import { FilledRows } from "./filled-rows.tsx";

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

export function Figures({ claims }: Pick<Brand, "claims">) {
  const claimed = subjects.filter(([name]) => claims[name].figure);
  if (claimed.length === 0) {
    return (
      <p>We publish no figures about accuracy, time or volume. Judge by scripts of your own.</p>
    );
  }
  return claimed.map(([name, title]) => (
    <Fragment key={name}>
      <h2 id={name}>{title(claims[name].figure)}</h2>
      <dl className="rows">
        <FilledRows rows={basisOf(claims[name])} />
      </dl>
    </Fragment>
  ));
}

/** What is published about a figure, and in a last row what is not. */
function basisOf({ definition, basis, date, countedBy }: Claim): [string, string][] {
  const rows: [label: string, text: string][] = [
    ["What was counted", definition],
    ["On what", basis],
    ["When", date],
    ["Who counted", countedBy],
  ];
  const missing = rows.filter(([, text]) => !text).map(([label]) => label.toLowerCase());
  return [...rows, ["Not published", missing.join(", ")]];
}

/** What is known, and done, about a model that does not answer twice alike. */
export function SameScriptTwice({ brand }: { brand: Brand }) {
  return (
    <>
      <h2 id="twice">The same script twice</h2>
      <p>
        A person who marks script 7 and script 700 can drift. A model doesn’t tire, but it can
        propose two marks for the same answer when it is asked twice, and no supplier should call
        that impossible. This is what we do about it:
      </p>
      <ul>
        <li>
          Every proposed mark names the line of the rubric that it comes from, so that a difference
          can be seen and argued.
        </li>
        <li>
          A person checks the proposals before a mark is decided, and equal answers with unequal
          marks are what to look for.
        </li>
        <li>
          When a rule changes, the question is run again for all scripts, not only for the ones that
          are left.
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
