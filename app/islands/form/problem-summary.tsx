import type { Problem } from "../../domain/problem.ts";

/** Error summary of a form: each reason links to its field. A single one is the heading. */
export function ProblemSummary({
  problem,
  idPrefix = "",
  advice,
}: {
  problem: Problem;
  idPrefix?: string | undefined;
  advice?: string | undefined;
}) {
  const reasons = Object.entries(problem.fields).flatMap(([field, errors]) =>
    errors.map((error, index) => ({ field, error, key: `${field} ${index}` })),
  );
  const linkTo = (field: string, error: string) => (
    <a className="standalone-link" href={`#${idPrefix}${field}`}>
      {error}
    </a>
  );
  const [only] = reasons.every(({ error }) => error === problem.error) ? reasons : [];
  return (
    <div className="problem-summary sheet" role="alert" tabIndex={-1}>
      <h2 className="term">{only ? linkTo(only.field, only.error) : problem.error}</h2>
      {!only && reasons.length > 0 && (
        <ul className="field-error">
          {reasons.map(({ field, error, key }) => (
            <li key={key}>{linkTo(field, error)}</li>
          ))}
        </ul>
      )}
      {advice && <p>{advice}</p>}
    </div>
  );
}

export function focusSummary(parent: ParentNode): void {
  parent.querySelector<HTMLElement>(".problem-summary")?.focus();
}
