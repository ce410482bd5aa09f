import type { Results } from "../../domain/result.ts";
import { type QuestionReport, questionReports } from "../../results/class-report.ts";
import { formatPercentage } from "../../results/grade.ts";
import { pointReports, rarestPoints, sentenceOfPoint } from "../../results/point-report.ts";
import { pencilClass } from "./marks-table.tsx";

/** A bar for the average of each question, with the points that learners had. The lowest is marked. */
export function QuestionBars({ results }: { results: Results }) {
  const reports = questionReports(results.submissions);
  const highest = reports.find(({ isHighest }) => isHighest);
  return (
    <>
      <h3>What do I teach again?</h3>
      {highest &&
        reports.map((lowest) => {
          if (!lowest.isLowest) return null;
          const finding = findingOf(lowest, highest) + rarestIn(results, lowest);
          return (
            <p key={lowest.questionNumber} className={`margin-note ${pencilClass(finding)}`}>
              {finding}
            </p>
          );
        })}
      <ol className="questions bars ruled">
        {reports.map((report) => (
          <li key={report.questionNumber} className={report.isLowest ? "flush lowest" : "flush"}>
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
            <PointCounts results={results} questionNumber={report.questionNumber} />
          </li>
        ))}
      </ol>
    </>
  );
}

function PointCounts({ results, questionNumber }: { results: Results; questionNumber: string }) {
  const reports = pointReports(results, questionNumber);
  if (reports.length === 0) return null;
  return (
    <ul className="point-counts hint">
      {reports.map((report) => (
        <li key={report.id}>{sentenceOfPoint(report)}</li>
      ))}
    </ul>
  );
}

/** Says which points of a question the fewest learners had; "" if it has no points. */
function rarestIn(results: Results, { questionNumber, marked }: QuestionReport): string {
  const rarest = rarestPoints(pointReports(results, questionNumber), marked);
  const more = rarest.length - maxRarest;
  const texts = rarest.slice(0, maxRarest).map(shareOf).join(", ");
  return rarest.length === 0 ? "" : ` Fewest had ${texts}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** The most points in a finding: with more, it would be too long to quote. */
const maxRarest = 3;

const shareOf = ({ text, had, known }: { text: string; had: number; known: number }) =>
  `“${text}” (${had} of ${known})`;

/** A sentence to quote: what the class can do best, beside what it can do least. */
function findingOf(lowest: QuestionReport, highest: QuestionReport): string {
  const { questionNumber, percentage, lessThanHalf } = lowest;
  if (lessThanHalf === 0) {
    return `${questionNumber} is the lowest, at ${percentage}%. Nobody has less than half of its marks.`;
  }
  // Compared as shares, because one question may have marks of fewer learners than the other.
  if (withHalf(highest) * lowest.marked <= withHalf(lowest) * highest.marked) {
    return `${sentenceOfHalf(lowest)}.`;
  }
  const least = withHalf(lowest) ? `only ${withHalf(lowest)} of ${lowest.marked}` : "none";
  return `${sentenceOfHalf(highest)}, but ${least} for ${nameOf(lowest)}.`;
}

/** The number of learners with at least half of the marks. */
const withHalf = ({ marked, lessThanHalf }: QuestionReport) => marked - lessThanHalf;

const sentenceOfHalf = (question: QuestionReport) =>
  `${withHalf(question)} of ${question.marked} ${withHalf(question) === 1 ? "has" : "have"} at least half of the marks for ${nameOf(question)}`;

const nameOf = ({ questionNumber, description }: QuestionReport) =>
  `“${description}” (${questionNumber})`;

const countsOf = ({ lessThanHalf, full, none }: QuestionReport) =>
  `Full marks: ${full}. Less than half: ${lessThanHalf}. None: ${none}.`;
