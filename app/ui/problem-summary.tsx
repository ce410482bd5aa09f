import { useEffect, useRef } from "react";
import type { Problem } from "../domain/problem.ts";
import { pageIsHydrated } from "./hydration.ts";

/** The first thing in main where a form came back: what is wrong, each reason a link to its field. */
export function ProblemSummary({
  problem,
  idPrefix = "",
  advice,
}: {
  problem: Problem;
  /** Of the form's fields. */
  idPrefix?: string;
  advice?: string | undefined;
}) {
  const ref = useRef<HTMLDivElement>(null);
  // A page that came from the server begins at its top by itself.
  useEffect(() => {
    if (pageIsHydrated()) ref.current?.focus();
  }, [problem]);
  const reasons = Object.entries(problem.fields).flatMap(([field, errors]) =>
    errors.map((error, place) => ({ field, error, key: `${field} ${place}` })),
  );
  return (
    <div className="problem-summary" role="alert" tabIndex={-1} ref={ref}>
      <h2>{problem.error}</h2>
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ field, error, key }) => (
            <li key={key}>
              <a href={`#${idPrefix}${field}`}>{error}</a>
            </li>
          ))}
        </ul>
      )}
      {advice && <p>{advice}</p>}
    </div>
  );
}
