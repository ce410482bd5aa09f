import { counted } from "../../domain/counted.ts";
import type { MarkedSubmission } from "../../domain/result.ts";
import { needsLook, sortedIndexes, whyLook } from "../../results/class-report.ts";
import { countOfAnswers, learnerQuestions, learnersWith } from "../../results/decision-progress.ts";
import type { ResultsLinks } from "./results-urls.ts";

/** Counts the marks to look at first. A learner's link leads to the first such mark on the desk, or to the learner. */
export function LookFirst({
  submissions,
  links,
  decides,
}: {
  submissions: MarkedSubmission[];
  links: ResultsLinks;
  /** Whether the reader decides the marks. */
  decides: boolean;
}) {
  const byIndex = new Map(learnersWith(submissions, needsLook).map((one) => [one.index, one]));
  if (byIndex.size === 0) return null;
  const found = sortedIndexes(submissions, "name").flatMap((index) => byIndex.get(index) ?? []);
  return (
    <div className="margin-note flush">
      <p>
        <b>{`${counted(countOfAnswers(found), "mark")} to look at first`}</b>:{" "}
        {whyLook(submissions)}
      </p>
      <ul className="links">
        {found.map(({ index, questions }) => {
          const submission = submissions[index]!;
          return (
            <li key={index}>
              <a
                href={decides ? links.answer(submission, questions[0]!) : links.learner(submission)}
              >
                {learnerQuestions(submission.studentName, questions)}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
