import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

/**
 * The time that 500 essays take with proposals: 4 h of preparation, and the checking. `part` is the percentage of the time
 * by hand, which is 83 h 20 min at 10 minutes an essay.
 */
const outcomes = [
  { checking: "31 seconds", hours: "8 h 18 min", part: 10, saved: "90%" },
  { checking: "3 minutes", hours: "29 h", part: 34.8, saved: "65%" },
  { checking: "9 minutes", hours: "79 h", part: 94.8, saved: "5%" },
];

export const claimsTimeSavings = ({ timeSaved, hoursSaved }: Brand["claims"]) =>
  Boolean(timeSaved.figure || hoursSaved.figure);

export function TimeSavings({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  if (!claimsTimeSavings(brand.claims)) return null;
  const { title, html, items } = text.sections.time;
  return (
    <section id="time" aria-labelledby="time-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="time-title" html={title} />
          {items.map(({ title, html }) => (
            <div key={title}>
              <SectionText as="h3" className="claim figures" html={title} />
              <SectionText html={html} />
            </div>
          ))}
        </div>
        <Fold title="The sum, row by row">
          <SectionText html={html} />
          <Sum />
        </Fold>
      </div>
    </section>
  );
}

function Sum() {
  return (
    <figure className="sheet">
      <p>
        <b>Given:</b> 500 first-year essays, 10 minutes each by hand. With proposals to check: 4
        hours for rubric and files, then the checking.
      </p>
      <table className="figures">
        <caption>How long it takes, by how long you check a script</caption>
        <thead>
          <tr>
            <th scope="col">Checking a script</th>
            <th scope="col">In all</th>
            <th scope="col">Saved</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">By hand</th>
            <Hours part={100}>83 h 20 min</Hours>
            <td>–</td>
          </tr>
          {outcomes.map(({ checking, hours, part, saved }) => (
            <tr key={checking}>
              <th scope="row">{checking}</th>
              <Hours part={part}>{hours}</Hours>
              <td>
                <strong>{saved}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption>
        500 × 3 min + 4 h = 29 h. The minutes are assumptions, not measurements.
      </figcaption>
    </figure>
  );
}

function Hours({ part, children }: { part: number; children: React.ReactNode }) {
  return (
    <td>
      {children}
      <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 3H${part}`} />
      </svg>
    </td>
  );
}
