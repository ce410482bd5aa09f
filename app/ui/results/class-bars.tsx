import type { Results } from "../../domain/result.ts";
import { isLeftOut, questionReports } from "../../results/class-report.ts";
import { formatMarks, formatPercentage, percentageOf } from "../../results/grade.ts";

/** The average of the class for each question as a bar, with a line where the learner is. */
export function ClassBars({
  submissions,
  averageGrade,
  index,
}: Pick<Results, "submissions" | "averageGrade"> & {
  /** The learner's position in the class, from 0. */
  index: number;
}) {
  const { questionMarks } = submissions[index]!;
  return (
    <div className="class-bars flush no-print">
      <h4 className="term">Beside the class</h4>
      <p className="hint">The bar is the class average, the line this learner.</p>
      <ol className="bars ruled">
        {questionReports(submissions).map((report, question) => {
          const { questionNumber, totalMarks, averageMarks, percentage } = report;
          const mark = questionMarks[question]!;
          const own = isLeftOut(mark) ? null : mark.marksAwarded;
          return (
            <li key={questionNumber} className="flush">
              <b className="figures">{questionNumber}</b>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="10" className="all" />
                <rect width={percentage ?? 0} height="10" />
                {own !== null && <path d={`M${percentageOf(own, totalMarks)} -3V13`} />}
              </svg>
              <span className="hint figures">
                <span className="visually-hidden">class average </span>
                {`${formatMarks(averageMarks)}/${totalMarks}`}
              </span>
            </li>
          );
        })}
      </ol>
      <p>
        class average <b className="figures">{formatPercentage(averageGrade)}</b>
      </p>
    </div>
  );
}
