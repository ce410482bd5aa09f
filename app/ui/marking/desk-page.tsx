import { formatDayOf, formatTimeOf } from "../../domain/day.ts";
import type { AnswerKey, Desk, ShownFile } from "../../domain/desk.ts";
import type { ProblemPage } from "../../domain/scan.ts";
import type { ReturnedDecision } from "../../islands/results/view/deciding.tsx";
import { ReturnedNotice } from "../../islands/results/view/signing.tsx";
import { deskProgress } from "../../results/desk-progress.ts";
import { stampIntent } from "../../results/stamp-form.ts";
import { Loader } from "../island.tsx";
import { Answer, marksField } from "./answer.tsx";
import { type DeskLinks, type DeskView, deskLinks, learnerLabel } from "./desk-urls.ts";
import { Finish } from "./finish.tsx";
import { Learners } from "./learners.tsx";
import { Overview } from "./overview.tsx";
import { isOpenProblem, ProblemPages } from "./problem-pages.tsx";
import { Questions, type ShownPaper } from "./questions-view.tsx";
import { stampTextField } from "./stamp-tools.tsx";
import "../../styles/parts/forms.css";
import "../../styles/parts/hands.css";
import "../../styles/parts/class-figures.css";
import "../../styles/parts/deciding.css";
import "../../styles/parts/marks-grid.css";
import "../../styles/parts/marks-table.css";
import "../../styles/parts/printed-results.css";
import "../../styles/pages/marking-desk.css";

/** A form of the desk that was posted and is returned for correction. */
export interface ReturnedForm extends ReturnedDecision {
  /** What is wrong with each line of the questions. */
  lines?: { line: number | null; message: string }[];
  /** What new questions do to decided marks, and what a person agrees to with it. */
  effects?: { sentences: string[]; lastDecisionId: number };
}

/** The desk as the URL asks for it. */
export interface ShownDesk {
  token: string;
  desk: Desk;
  view: Exclude<DeskView, { kind: "next" }>;
  /** Of the learner whose answer is shown, or of the paper on the overview. */
  work: ShownFile[];
  paper: ShownPaper;
  /** None if the link does not open them. */
  problems: ProblemPage[];
  /** The answer that was decided on the page before. */
  saved: AnswerKey | null;
  /** When the request is deleted: ISO 8601, UTC. */
  deletedAt: string;
}

export function DeskPage({
  shown: { token, desk, view, work, paper, problems, saved, deletedAt },
  returned,
}: {
  shown: ShownDesk;
  returned: ReturnedForm | undefined;
}) {
  const links = deskLinks(token);
  const field = returned && fieldOf(returned, view);
  return (
    <div className="page results marking-desk">
      {returned && <ReturnedNotice returned={returned} field={field} />}
      <Head {...{ desk, view, problems, links }} />
      {saved && <Saved desk={desk} saved={saved} links={links} />}
      {view.kind === "missing" && <p>There is no such page, or this link does not open it.</p>}
      {view.kind === "overview" && <Overview desk={desk} paper={work} links={links} />}
      {view.kind === "questions" && <Questions {...{ desk, paper, links, returned }} />}
      {view.kind === "answer" && (
        <Answer {...{ desk, work, links, returned }} answer={view.answer} shown={view.shown} />
      )}
      {view.kind === "learners" && (
        <Learners {...{ desk, links, returned }} learnerId={view.learnerId} />
      )}
      {view.kind === "problems" && (
        <ProblemPages {...{ desk, problems, links, returned }} shown={view.shown} />
      )}
      {view.kind === "finish" && <Finish desk={desk} links={links} />}
      <p className="hint no-print">
        {`This link works until ${formatDayOf(desk.link.expiresAt)}. The files and marks are deleted on ${formatDayOf(deletedAt)}.`}
      </p>
      <Loader />
    </div>
  );
}

/** The id of the field that a returned form is about, if the view has it. */
function fieldOf({ intent, lines }: ReturnedForm, view: ShownDesk["view"]): string | undefined {
  if (view.kind === "answer" && intent === stampIntent) return stampTextField;
  if (view.kind === "answer" && (intent === "save" || intent === "agree")) return marksField;
  return view.kind === "questions" && lines ? "lines" : undefined;
}

function Head({
  desk,
  view,
  problems,
  links,
}: Pick<ShownDesk, "desk" | "view" | "problems"> & { links: DeskLinks }) {
  const { decided, total } = progressOf(desk);
  const pages = [
    ["overview", "Overview", links.overview],
    ["questions", "Questions", links.questions],
    ["learners", "Learners", links.learners],
    ["finish", "What is left", links.finish()],
  ] as const;
  const open = problems.filter(isOpenProblem).length;
  return (
    <>
      <header className="desk-head cluster flush">
        <h1>{desk.title}</h1>
        <p>
          {total > 0 && <b className="desk-progress">{`${decided} of ${total} decided`}</b>}
          {`${total > 0 ? ", recorded" : "Recorded"} as ${desk.link.marker}`}
        </p>
        {desk.signed && (
          <p className="margin-note">
            {`Signed by ${desk.signed.by} on ${formatDayOf(desk.signed.at)}: nothing can be changed here.`}
          </p>
        )}
        <nav aria-label="Marking desk" className="actions no-print">
          {pages.map(([kind, text, href]) => (
            <a key={kind} href={href} aria-current={view.kind === kind ? "page" : undefined}>
              {text}
            </a>
          ))}
          {problems.length > 0 && (
            <a href={links.problems()} aria-current={view.kind === "problems" ? "page" : undefined}>
              {`Problem pages (${open})`}
            </a>
          )}
        </nav>
      </header>
      {!["answer", "problems", "questions"].includes(view.kind) && (
        <NextStep {...{ desk, links, decided, total }} />
      )}
    </>
  );
}

/** The one thing to do next, where the page has no button of its own. */
function NextStep({
  desk,
  links,
  decided,
  total,
}: {
  desk: Desk;
  links: DeskLinks;
  decided: number;
  total: number;
}) {
  if (desk.signed || (total > 0 && decided === total)) return null;
  if (desk.questions.length === 0) {
    return (
      <p className="no-print">
        <a className="button" href={links.questions}>
          Set the questions
        </a>
      </p>
    );
  }
  return (
    <p className="actions no-print">
      <a className="button" href={links.next("question")}>
        {decided === 0 ? "Start marking" : "Go on marking"}
      </a>
      <a href={links.next("learner")}>Mark learner by learner</a>
    </p>
  );
}

export const progressOf = ({ learners }: Desk) =>
  deskProgress(learners.map(({ marks, ...learner }) => ({ ...learner, questionMarks: marks })));

/** What was decided on the page before, and the way back to it. */
function Saved({ desk, saved, links }: { desk: Desk; saved: AnswerKey; links: DeskLinks }) {
  const learner = desk.learners.find(({ id }) => id === saved.learnerId);
  const mark = learner?.marks.find((one) => one.questionNumber === saved.questionNumber);
  if (!learner || !mark?.decision) return null;
  const marks = mark.notAnswered ? "not answered" : mark.marksAwarded;
  const { by, at } = mark.decision;
  // Another marker may have decided the same before.
  const how = by === desk.link.marker ? "Saved" : `Decided by ${by},`;
  return (
    <p className="desk-saved margin-note no-print">
      {`${how} ${formatTimeOf(at)}: ${learnerLabel(learner)}, question ${mark.questionNumber}: ${marks}. `}
      <a href={links.answer(saved)}>Change it</a>
    </p>
  );
}
