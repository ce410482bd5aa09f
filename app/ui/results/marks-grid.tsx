import type { MarkedSubmission, QuestionMark } from "../../domain/result.ts";
import {
  isDecided,
  lossOf,
  needsLook,
  type SortKey,
  sortedIndexes,
} from "../../results/class-report.ts";
import { hasOpenProposal, isUnmarked } from "../../results/decision-progress.ts";
import { answerState } from "../../results/desk-progress.ts";
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
import { InPieces } from "../in-pieces.tsx";
import { Choices, DoubtMark } from "./learner-grade.tsx";
import type { ResultsLinks } from "./results-urls.ts";

interface GridProps {
  submissions: MarkedSubmission[];
  sort: SortKey;
  levels: LevelScale;
  links: ResultsLinks;
}

/** Every mark, learner by question. On phones each row is a card, which labels its cells. */
export function MarksGrid(props: GridProps) {
  const { submissions, sort, links } = props;
  const other = sort === "name" ? "mark" : "name";
  return (
    <div id="learners" className="learners">
      <h3 id="grid-title">Every mark, learner by question</h3>
      <p className="no-print">
        {`Press a learner for the feedback. Sorted by ${sort === "name" ? sort : "mark, highest first"}; `}
        <a href={links.sorted(other)}>{`sort by ${other}`}</a>.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="table-frame" aria-labelledby="grid-title" tabIndex={0}>
        <table className="grid">
          <GridHead {...props} />
          <tbody>
            <InPieces
              of={sortedIndexes(submissions, sort)}
              questions={submissions[0]!.questionMarks.length}
            >
              {(index) => <GridRow key={index} {...props} index={index} />}
            </InPieces>
          </tbody>
        </table>
      </section>
      <p className="hint">
        <span className="shaded">The heavier the shade, the more marks were lost. </span>
        <span className="no-print">Ringed: the total, dashed until every mark is decided. </span>
        <Legend marks={submissions.flatMap(({ questionMarks }) => questionMarks)} />
        <Choices marks={submissions[0]!.questionMarks} />
      </p>
    </div>
  );
}

/** Explains those signs of a grid that its marks have. */
export function Legend({ marks }: { marks: QuestionMark[] }) {
  return (
    <>
      {marks.some(hasOpenProposal) && "In pencil: proposed. "}
      {marks.some(isDecided) && "In red, underlined: a person decided. "}
      {marks.some(needsLook) && "A question mark: look here first. "}
      {marks.some(isUnmarked) && `${noMark}: nothing yet.`}
    </>
  );
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
          {marks.awarded !== null && questionMarks.some(needsLook) && <DoubtMark />}
          <span className="visually-hidden">
            {questionMarks.every(isDecided) && " decided"}
            {questionMarks.some(hasOpenProposal) && " in pencil"}
          </span>
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

/** A mark in a grid, of the class or of the desk: in pencil what is proposed, in red what a person decided. */
export function GridMark({ mark }: { mark: QuestionMark }) {
  const state = answerState(mark);
  const words = {
    empty: "nothing yet",
    pencil: "proposed",
    "look first": "proposed, look here first",
    differs: "decided, another marker differs",
    red: mark.notAnswered ? "decided, not answered" : "decided",
  };
  const text = `${mark.marksAwarded ?? noMark}${needsLook(mark) ? "?" : ""}`;
  return (
    <>
      {isDecided(mark) ? <ins>{text}</ins> : <span className="pencil">{text}</span>}
      <span className="visually-hidden">{` ${words[state]}`}</span>
    </>
  );
}

function lossClass(mark: QuestionMark): string | undefined {
  const loss = lossOf(mark);
  return loss === 0 ? undefined : `l${loss}`;
}
