import { useEffect, useRef } from "react";
import type { Problem } from "../domain/problem.ts";
import { isPageHydrated } from "./hydration.ts";

/** Error summary of a form: each reason links to its field. */
export function ProblemSummary({
  problem,
  idPrefix = "",
  advice,
}: {
  problem: Problem;
  /** Prefix of the ids of the form's fields. */
  idPrefix?: string;
  advice?: string | undefined;
}) {
  const ref = useRef<HTMLDivElement>(null);
  // A page fresh from the server starts at its top, where the summary is.
  useEffect(() => {
    if (isPageHydrated()) ref.current?.focus();
  }, [problem]);
  const reasons = Object.entries(problem.fields).flatMap(([field, errors]) =>
    errors.map((error, index) => ({ field, error, key: `${field} ${index}` })),
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
