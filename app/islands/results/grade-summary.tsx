import type { Results } from "../../domain/result.ts";
import { bandOf, formatAverage } from "../../results/grade.ts";

export function GradeSummary({
  results: { averageGrade, totalSubmissions },
}: {
  results: Results;
}) {
  const band = bandOf(averageGrade);
  return (
    <dl className="grade-summary">
      <div className={`band-${band.style}`}>
        <dt>Average grade</dt>
        <dd>
          <b className="figures">{formatAverage(averageGrade)}%</b>{" "}
          <span className="band">{band.label}</span>
        </dd>
      </div>
      <div>
        <dt>Total submissions</dt>
        <dd>
          <b className="figures">{totalSubmissions}</b>
        </dd>
      </div>
    </dl>
  );
}
