import type { Results } from "../../domain/result.ts";
import { bandOf, bands, formatAverage, medianOf } from "../../results/grade.ts";
import { DotPlot } from "./dot-plot.tsx";
import type { ResultsLinks } from "./links.ts";

/** Average, median and spread of the grades. */
export function GradeSummary({
  results: { averageGrade, totalSubmissions, submissions },
  links,
}: {
  results: Results;
  links: ResultsLinks;
}) {
  const band = bandOf(averageGrade);
  const median = medianOf(submissions.map(({ grade }) => grade));
  return (
    <div className="overview">
      <dl className="grade-summary">
        <div className={`band-${band.style}`}>
          <dt>Average grade</dt>
          <dd>
            <b className="figures">{`${formatAverage(averageGrade)}%`}</b>{" "}
            <span className="band">{band.label}</span>
          </dd>
        </div>
        <div>
          <dt>Median</dt>
          <dd>
            <b className="figures">{`${formatAverage(median)}%`}</b>
          </dd>
        </div>
        <div>
          <dt>Total submissions</dt>
          <dd>
            <b className="figures">{totalSubmissions}</b>
          </dd>
        </div>
      </dl>
      <DotPlot submissions={submissions} average={averageGrade} median={median} links={links} />
      <GradeSpread submissions={submissions} />
    </div>
  );
}

/** The number of grades in each band. */
function GradeSpread({ submissions }: Pick<Results, "submissions">) {
  return (
    <table className="grade-spread">
      <caption>Each dot is a learner. How many in each band:</caption>
      <thead>
        <tr>
          {bands.map(({ label, style }) => (
            <th key={style} scope="col" className={`band-${style}`}>
              <span className="band">{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {bands.map((band) => (
            <td key={band.style} className="figures">
              {submissions.filter(({ grade }) => bandOf(grade) === band).length}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
