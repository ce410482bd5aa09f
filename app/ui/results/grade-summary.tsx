import { noGradeReasons, type Results } from "../../domain/result.ts";
import { bandOf, bands, formatPercentage, gradesIn, medianOf } from "../../results/grade.ts";
import { DotPlot } from "./dot-plot.tsx";
import type { ResultsLinks } from "./results-urls.ts";

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
  const ungraded = totalSubmissions - grades.length;
  return (
    <div>
      <dl className="summary cluster">
        <div className={band && `band-${band.style}`}>
          <dt className="hint">Average grade</dt>
          <dd>
            <b className="figures">{formatPercentage(averageGrade)}</b>{" "}
            {band && <span className="band">{band.label}</span>}
          </dd>
        </div>
        <div>
          <dt className="hint">Median</dt>
          <dd>
            <b className="figures">{formatPercentage(median)}</b>
          </dd>
        </div>
        <div>
          <dt className="hint">Total submissions</dt>
          <dd>
            <b className="figures">{totalSubmissions}</b>
            {ungraded > 0 && <span className="hint"> {withoutGrade(ungraded, submissions)}</span>}
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
function withoutGrade(ungraded: number, submissions: Results["submissions"]): string {
  const reasons = noGradeReasons.flatMap((reason) => {
    const count = submissions.filter(({ noGrade }) => noGrade === reason).length;
    return count > 0 ? `${count} ${reason}` : [];
  });
  return [`${ungraded} without a grade`, reasons.join(", ")].filter(Boolean).join(": ");
}

function GradeSpread({ submissions }: Pick<Results, "submissions">) {
  return (
    <>
      <p className="hint">Each dot is a learner. How many in each band:</p>
      <dl className="summary cluster">
        {bands.map((band) => (
          <div key={band.style} className={`band-${band.style}`}>
            <dt className="hint band">{band.label}</dt>
            <dd className="figures">
              {submissions.filter(({ grade }) => grade !== null && bandOf(grade) === band).length}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
