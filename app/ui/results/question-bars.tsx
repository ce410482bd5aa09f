import type { MarkedSubmission } from "../../domain/result.ts";
import { type QuestionReport, questionReports } from "../../results/class-report.ts";
import { formatPercentage } from "../../results/grade.ts";

/** A bar for the average of each question. The lowest is marked. */
export function QuestionBars({ submissions }: { submissions: MarkedSubmission[] }) {
  const reports = questionReports(submissions);
  return (
    <>
      <h3>What do I teach again?</h3>
      {reports
        .filter(({ isLowest }) => isLowest)
        .map((report) => (
          <p key={report.questionNumber} className="teach-again">
            {sentenceOf(report)}
          </p>
        ))}
      <ol className="questions">
        {reports.map((report) => (
          <li key={report.questionNumber} className={report.isLowest ? "lowest" : undefined}>
            <span className="question">
              <b className="figures">{report.questionNumber}</b> {report.description}
              {report.isLowest && <span className="visually-hidden"> (lowest)</span>}
            </span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="10" className="all" />
              <rect width={report.percentage ?? 0} height="10" />
            </svg>
            <b className="figures">{formatPercentage(report.percentage)}</b>
            <span className="hint">{countsOf(report)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function sentenceOf({ questionNumber, lessThanHalf, percentage, marked }: QuestionReport) {
  return lessThanHalf > 0
    ? `${questionNumber}: ${lessThanHalf} of ${marked} ${lessThanHalf === 1 ? "has" : "have"} less than half of its marks.`
    : `${questionNumber} is the lowest, at ${percentage}%. Everyone has at least half of its marks.`;
}

const countsOf = ({ lessThanHalf, full, none }: QuestionReport) =>
  `Full marks: ${full}. Less than half: ${lessThanHalf}. None: ${none}.`;
