import { noGradeReasons, type Results } from "../../../domain/result.ts";
import { bandOf, bands, formatPercentage, gradesIn, medianOf } from "../../../results/grade.ts";
import { DotPlot } from "./dot-plot.tsx";
import type { ResultsLinks } from "./results-urls.ts";

/** Average, median and spread of the grades. */
export function GradeSummary({
  results: { averageGrade, totalSubmissions, submissions },
  links,
}: {
  results: Results;
  links: ResultsLinks;
}) {
  const grades = gradesIn(submissions);
  const band = averageGrade === null ? undefined : bandOf(averageGrade);
  const median = medianOf(grades);
  const without = totalSubmissions - grades.length;
  return (
    <div className="overview">
      <dl className="grade-summary">
        <div className={band && `band-${band.style}`}>
          <dt>Average grade</dt>
          <dd>
            <b className="figures">{formatPercentage(averageGrade)}</b>{" "}
            {band && <span className="band">{band.label}</span>}
          </dd>
        </div>
        <div>
          <dt>Median</dt>
          <dd>
            <b className="figures">{formatPercentage(median)}</b>
          </dd>
        </div>
        <div>
          <dt>Total submissions</dt>
          <dd>
            <b className="figures">{totalSubmissions}</b>
            {without > 0 && <span className="hint"> {withoutGrade(without, submissions)}</span>}
          </dd>
        </div>
      </dl>
      {averageGrade !== null && median !== null && (
        <DotPlot submissions={submissions} average={averageGrade} median={median} links={links} />
      )}
      <GradeSpread submissions={submissions} />
    </div>
  );
}

/** For example "3 without a grade: 2 absent". */
function withoutGrade(without: number, submissions: Results["submissions"]): string {
  const reasons = noGradeReasons.flatMap((reason) => {
    const count = submissions.filter(({ noGrade }) => noGrade === reason).length;
    return count > 0 ? `${count} ${reason}` : [];
  });
  return [`${without} without a grade`, reasons.join(", ")].filter(Boolean).join(": ");
}

/** The number of grades in each band. */
function GradeSpread({ submissions }: Pick<Results, "submissions">) {
  return (
    <table className="grade-spread">
      <caption>Each dot is a learner. How many in each band:</caption>
      <tbody>
        {bands.map((band) => (
          <tr key={band.style}>
            <th scope="row" className={`band-${band.style}`}>
              <span className="band">{band.label}</span>
            </th>
            <td className="figures">
              {submissions.filter(({ grade }) => grade !== null && bandOf(grade) === band).length}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
