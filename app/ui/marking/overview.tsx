import { counted } from "../../domain/counted.ts";
import type { Desk, DeskLearner, ShownFile } from "../../domain/desk.ts";
import type { QuestionMark } from "../../domain/result.ts";
import { needsLook, whyLook } from "../../results/class-report.ts";
import { InPieces } from "../in-pieces.tsx";
import { GridMark, Legend } from "../results/marks-grid.tsx";
import { answerLabel, type DeskLinks, learnerLabel } from "./desk-urls.ts";

interface OverviewProps {
  desk: Desk;
  /** The question paper and the memo. */
  paper: ShownFile[];
  links: DeskLinks;
}

export function Overview({ desk, paper, links }: OverviewProps) {
  const toLookAt = desk.learners.flatMap((learner) =>
    learner.marks
      .filter((mark) => !learner.noGrade && needsLook(mark))
      .map((mark) => ({ learner, mark })),
  );
  const learners = new Map(desk.learners.map((one) => [one.id, one]));
  return (
    <>
      {toLookAt.length > 0 && (
        <div className="margin-note flush">
          <p>
            <b>{counted(toLookAt.length, "mark")} to look at first</b>:{" "}
            {whyLook(
              desk.learners.map(({ noGrade, marks }) => ({ noGrade, questionMarks: marks })),
            )}
          </p>
          <ul className="links">
            {toLookAt.map(({ learner, mark: { questionNumber } }) => (
              <li key={`${learner.id} ${questionNumber}`}>
                <a href={links.answer({ learnerId: learner.id, questionNumber })}>
                  {answerLabel(learner, questionNumber)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {desk.questions.length > 0 && <Grid desk={desk} links={links} />}
      {desk.openElsewhere.length > 0 && (
        <>
          <h2>Open to other markers</h2>
          <ul>
            {desk.openElsewhere.flatMap(({ learnerId, questionNumber, marker }) => {
              const learner = learners.get(learnerId);
              if (!learner) return [];
              return (
                <li key={`${marker} ${learnerId} ${questionNumber}`}>
                  {`${marker}: ${answerLabel(learner, questionNumber)}`}
                </li>
              );
            })}
          </ul>
        </>
      )}
      {paper.length > 0 && <Paper paper={paper} links={links} />}
    </>
  );
}

function Paper({ paper, links }: Pick<OverviewProps, "paper" | "links">) {
  return (
    <>
      <h2>The paper</h2>
      <p>
        <a className="standalone-link" href={links.paper}>
          Read the question paper and the memo
        </a>
      </p>
      <ul className="links">
        {paper.map(({ fileId, name }, index) => (
          <li key={fileId}>
            <a href={links.original(fileId)}>
              {index === 0 ? "Question paper" : "Memo"}, {name}
            </a>
          </li>
        ))}
      </ul>
      <p className="hint">
        Another question paper or memo is a new request: ask the person who sent you this link.
      </p>
    </>
  );
}

function Grid({ desk: { questions, learners }, links }: Pick<OverviewProps, "desk" | "links">) {
  return (
    <>
      <h2 id="grid-title">Every answer, learner by question</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="table-frame" aria-labelledby="grid-title" tabIndex={0}>
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">Learner</th>
              {questions.map(({ questionNumber, totalMarks }) => (
                <th key={questionNumber} scope="col">
                  <b>{questionNumber}</b>
                  {`/${totalMarks}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <InPieces of={learners} questions={questions.length}>
              {(learner) => (
                <tr key={learner.id}>
                  <th scope="row">
                    <a href={links.learner(learner.id)}>{learnerLabel(learner)}</a>
                    {learner.noGrade && <span className="hint">{learner.noGrade}</span>}
                  </th>
                  {learner.marks.map((mark) => (
                    <td key={mark.questionNumber} data-label={mark.questionNumber}>
                      <Cell learner={learner} mark={mark} links={links} />
                    </td>
                  ))}
                </tr>
              )}
            </InPieces>
          </tbody>
        </table>
      </section>
      <p className="hint">
        <Legend marks={learners.flatMap(({ marks }) => marks)} />
      </p>
    </>
  );
}

function Cell({
  learner,
  mark,
  links,
}: {
  learner: DeskLearner;
  mark: QuestionMark;
  links: DeskLinks;
}) {
  const { questionNumber } = mark;
  return (
    <a href={links.answer({ learnerId: learner.id, questionNumber })}>
      <span className="visually-hidden">{`${answerLabel(learner, questionNumber)}: `}</span>
      <GridMark mark={mark} />
    </a>
  );
}
