import type { MarkedSubmission, QuestionMark } from "../../domain/result.ts";
import {
  hasDifference,
  isDecided,
  lossOf,
  needsLook,
  type SortKey,
  sortedIndexes,
} from "../../results/class-report.ts";
import { hasOpenProposal } from "../../results/decision-progress.ts";
import {
  bandOf,
  type LevelScale,
  levelOf,
  noMark,
  shownMarks,
  shownTotal,
  sumOf,
  totalOf,
} from "../../results/grade.ts";
import { Doubt } from "./learner-grade.tsx";
import type { ResultsLinks } from "./results-urls.ts";

interface GridProps {
  submissions: MarkedSubmission[];
  sort: SortKey;
  levels: LevelScale;
  links: ResultsLinks;
}

/** Every mark, learner by question: the list of learners. On phones each row is a card, which labels its cells. */
export function MarksGrid(props: GridProps) {
  const { submissions, sort, links } = props;
  return (
    <div id="learners" className="learners">
      <h3 id="grid-title">Every mark, learner by question</h3>
      <p className="no-print">
        Press a learner for the feedback.{" "}
        {sort === "name" ? (
          <>
            Sorted by name; <a href={links.sorted("mark")}>sort by mark</a>.
          </>
        ) : (
          <>
            Sorted by mark, highest first; <a href={links.sorted("name")}>sort by name</a>.
          </>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="table-frame" aria-labelledby="grid-title" tabIndex={0}>
        <table className="grid">
          <GridHead {...props} />
          <tbody>
            {sortedIndexes(submissions, sort).map((index) => (
              <GridRow key={index} {...props} index={index} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="hint">{legendOf(submissions)}</p>
    </div>
  );
}

function legendOf(submissions: MarkedSubmission[]): string {
  const marks = submissions.flatMap(({ questionMarks }) => questionMarks);
  return [
    marks.some(hasOpenProposal) && "The heavier the pencil, the more marks were lost.",
    marks.some(needsLook) && "A question mark: look here first.",
    marks.some(isDecided) && "In red: a person decided.",
  ]
    .filter(Boolean)
    .join(" ");
}

function GridHead({ submissions, sort, levels }: GridProps) {
  const { questionMarks } = submissions[0]!;
  const { total } = sumOf(questionMarks);
  return (
    <thead>
      <tr>
        <th scope="col" aria-sort={sort === "name" ? "ascending" : undefined}>
          Learner
        </th>
        <th scope="col" className="sum" aria-sort={sort === "mark" ? "descending" : undefined}>
          <b>Total</b>
          {`/${shownTotal}`}
        </th>
        {questionMarks.map(({ questionNumber, totalMarks }) => (
          <th key={questionNumber} scope="col">
            <b>{questionNumber}</b>
            {`/${totalMarks}`}
          </th>
        ))}
        {total !== shownTotal && (
          <th scope="col">
            <b>Marks</b>
            {`/${total}`}
          </th>
        )}
        <th scope="col">
          <b>Grade</b>
        </th>
        {levels === "national" && (
          <th scope="col">
            <b>Level</b>
          </th>
        )}
      </tr>
    </thead>
  );
}

function GridRow({ submissions, index, levels, links }: GridProps & { index: number }) {
  const submission = submissions[index]!;
  const { studentName, grade, noGrade, questionMarks } = submission;
  const marks = totalOf(submission);
  return (
    <tr>
      <th scope="row">
        <a href={links.learner(submission)}>{studentName}</a>
      </th>
      <td className="sum" data-label={`Total/${shownTotal}`}>
        <b className={questionMarks.every(isDecided) ? "circled pen" : "ringed pencil"}>
          {shownMarks(marks) ?? noMark}
          {marks.awarded !== null && questionMarks.some(needsLook) && <Doubt />}
        </b>
      </td>
      {questionMarks.map((mark) => (
        <td key={mark.questionNumber} className={lossClass(mark)} data-label={mark.questionNumber}>
          <GridMark mark={mark} />
        </td>
      ))}
      {marks.total !== shownTotal && <td data-label="Marks">{marks.awarded ?? noMark}</td>}
      <td
        data-label="%"
        className={grade === null ? undefined : `band band-${bandOf(grade).style}`}
      >
        {grade === null ? (noGrade ?? noMark) : `${grade}%`}
      </td>
      {levels === "national" && (
        <td data-label="Level">{grade === null ? noMark : levelOf(grade).level}</td>
      )}
    </tr>
  );
}

/** A question mark after a mark that the model is unsure of; red for one that a person decided. */
function GridMark({ mark }: { mark: QuestionMark }) {
  if (isDecided(mark)) {
    return (
      <ins>
        {mark.marksAwarded}
        {hasDifference(mark) && <span aria-hidden="true">?</span>}
        <span className="visually-hidden">
          {hasDifference(mark) ? " decided, another marker differs" : " decided"}
        </span>
      </ins>
    );
  }
  if (!needsLook(mark)) return mark.marksAwarded ?? noMark;
  return (
    <b>
      {mark.marksAwarded}
      <span aria-hidden="true">?</span>
      <span className="visually-hidden"> look here first</span>
    </b>
  );
}

/** The shade of the pencil; a decided mark is no longer in pencil. */
function lossClass(mark: QuestionMark): string | undefined {
  if (isDecided(mark)) return undefined;
  const loss = lossOf(mark);
  return loss === 0 ? undefined : `l${loss}`;
}
