import { Fragment } from "react";
import { formatDayOf, formatTimeOf } from "../../domain/day.ts";
import {
  type Desk,
  type DeskAnswer,
  type DeskHead,
  preparesClass,
  type SavedAnswer,
  type ShownFile,
} from "../../domain/desk.ts";
import type { Late } from "../../domain/late.ts";
import { askIntent } from "../../domain/lead-question.ts";
import type { ShownPoints } from "../../domain/memo-point.ts";
import { sampleToken } from "../../domain/result.ts";
import type { ProblemPage } from "../../domain/scan.ts";
import { scriptsReadySentence } from "../../results/scripts-ready.ts";
import { stampIntent } from "../../results/stamp-form.ts";
import { nameOf, readerAtDesk } from "../../results/who-decided.ts";
import { markingHelp } from "../../site.ts";
import { Fold } from "../fold.tsx";
import { Loader } from "../island.tsx";
import { LatePart } from "../late-part.tsx";
import type { ReturnedDecision } from "../results/deciding.tsx";
import { ReturnedNotice } from "../results/signing.tsx";
import { LearnerWork } from "../script/work.tsx";
import { Answer, marksField } from "./answer.tsx";
import {
  answerLabel,
  type DeskLinks,
  type DeskView,
  deskLinks,
  learnerLabel,
} from "./desk-urls.ts";
import { Finish } from "./finish.tsx";
import { Learners } from "./learners.tsx";
import { Overview } from "./overview.tsx";
import { ProblemPages } from "./problem-pages.tsx";
import { Questions, type ShownPaper } from "./questions-view.tsx";
import { stampDownField, stampTextField } from "./stamp-tools.tsx";
import "../../styles/parts/forms.css";
import "../../styles/parts/hands.css";
import "../../styles/parts/class-figures.css";
import "../../styles/parts/deciding.css";
import "../../styles/parts/marks-grid.css";
import "../../styles/parts/marks-table.css";
import "../../styles/parts/printed-results.css";
import "../../styles/pages/marking-desk.css";

/** A form of the desk that was posted and is returned for correction. */
export interface ReturnedDeskForm extends ReturnedDecision {
  /** What is wrong with each line of the questions. */
  lines?: { line: number | null; message: string }[];
  /** What new questions do to decided marks and memo points, for the person to confirm. */
  effects?: { sentences: string[]; version: string; points: ShownPoints | undefined };
}

/** What a page of the desk shows: an answer, or a view of the class. */
export type ShownDesk = {
  token: string;
  head: DeskHead;
  /** The answer that was decided on the page before; null if none was. */
  saved: SavedAnswer | null;
  /** When the request is deleted: ISO 8601, UTC. */
  deletedAt: string;
} & (
  | { view: Extract<DeskView, { kind: "answer" }>; answer: DeskAnswer }
  | { view: Exclude<DeskView, { kind: "answer" | "next" }>; found: Late<ShownClass> }
);

/** What the pages about the class as a whole show. */
export interface ShownClass {
  desk: Desk;
  paperFiles: ShownFile[];
  paper: ShownPaper;
  problemPages: ProblemPage[];
}

export function DeskPage({
  shown,
  returned,
}: {
  shown: ShownDesk;
  returned: ReturnedDeskForm | undefined;
}) {
  const { token, head, view, saved, deletedAt } = shown;
  const isSample = token === sampleToken;
  const { isEducators } = head.link;
  const links = deskLinks(token, isEducators ? "learner" : "question");
  const field = returned && !head.signed ? fieldOf(returned, view) : undefined;
  return (
    <div
      className={isSample ? "page results marking-desk sample" : "page results marking-desk"}
      data-educators={isEducators || undefined}
      data-answers={isSample ? sampleAnswerKeys(head.link) : undefined}
    >
      {returned && (
        <ReturnedNotice
          returned={returned}
          heading={returned.effects && "A preview of the new questions"}
          field={field}
          hasQuestionsForm={preparesClass(head)}
        />
      )}
      <Head head={head} view={view} links={links} isSample={isSample} />
      {"found" in shown && !["problems", "questions"].includes(view.kind) && (
        <NextStep head={head} links={links} />
      )}
      {head.scriptsReady && (
        <p className="hint no-print">{scriptsReadySentence(head.scriptsReady)}</p>
      )}
      {saved && <Saved link={head.link} saved={saved} links={links} />}
      {"answer" in shown ? (
        <Answer
          answer={shown.answer}
          shown={shown.view.shown}
          links={links}
          returned={returned}
          isSample={isSample}
        />
      ) : (
        <LatePart found={shown.found} awaited="The class">
          {(found) => <ClassView {...found} view={shown.view} links={links} returned={returned} />}
        </LatePart>
      )}
      {isSample ? (
        <SampleNote />
      ) : (
        <p className="hint no-print">
          {`This link works until ${formatDayOf(head.link.expiresAt)}. The files and marks are deleted on ${formatDayOf(deletedAt)}.`}
        </p>
      )}
      <Loader />
    </div>
  );
}

function ClassView({
  view,
  desk,
  paperFiles,
  paper,
  problemPages: problems,
  links,
  returned,
}: ShownClass & {
  view: Exclude<ShownDesk, { answer: DeskAnswer }>["view"];
  links: DeskLinks;
  returned: ReturnedDeskForm | undefined;
}) {
  switch (view.kind) {
    case "missing":
      return <p>There is no such page, or this link does not open it.</p>;
    case "overview":
      return <Overview desk={desk} paper={paperFiles} links={links} />;
    case "paper":
      return <Paper files={paperFiles} links={links} />;
    case "questions":
      return <Questions desk={desk} paper={paper} links={links} returned={returned} />;
    case "learners":
      return <Learners desk={desk} links={links} returned={returned} learnerId={view.learnerId} />;
    case "problems":
      return (
        <ProblemPages
          desk={desk}
          problems={problems}
          links={links}
          returned={returned}
          shown={view.shown}
        />
      );
    case "finish":
      return <Finish desk={desk} links={links} />;
  }
}

const paperNames = ["Question paper", "Memo"];

/** The question paper and the memo, to read beside the answers. */
function Paper({ files, links }: { files: ShownFile[]; links: DeskLinks }) {
  return files.map((file, index) => (
    <Fragment key={file.fileId}>
      <h2>{paperNames[index]}</h2>
      <LearnerWork label={`the ${paperNames[index]!.toLowerCase()}`} work={[file]} links={links} />
    </Fragment>
  ));
}

/** The id of the field that a returned form is about, if the view has it. */
function fieldOf(
  { intent, lines, field }: ReturnedDeskForm,
  view: ShownDesk["view"],
): string | undefined {
  if (view.kind === "questions") return field ?? (lines && "lines");
  if (view.kind === "learners") {
    if (!field || field === "page") return field;
    return `${intent === "add" ? "add" : "new"}-${field}`;
  }
  if (view.kind !== "answer") return undefined;
  if (intent === askIntent) return askIntent;
  if (intent === stampIntent) return field === "down" ? stampDownField : field && stampTextField;
  return field ?? (intent === "save" || intent === "agree" ? marksField : undefined);
}

function Head({
  head: { link, title, signed, progress, problems },
  view,
  links,
  isSample,
}: Pick<ShownDesk, "head" | "view"> & { links: DeskLinks; isSample: boolean }) {
  const { decided, total } = progress;
  const pages = [
    ["overview", "Overview", links.overview],
    ["questions", "Questions", links.questions],
    ["learners", "Learners", links.learners],
    ["finish", "What is left", links.finish()],
  ] as const;
  const menu = (
    <nav aria-label="Marking desk" className="actions no-print">
      {link.isEducators && <a href={links.report}>Class report</a>}
      {pages.map(([kind, text, href]) => (
        <a key={kind} href={href} aria-current={view.kind === kind ? "page" : undefined}>
          {text}
        </a>
      ))}
      {problems && problems.all > 0 && (
        <a href={links.problems()} aria-current={view.kind === "problems" ? "page" : undefined}>
          {`Problem pages (${problems.open})`}
        </a>
      )}
      <a href={markingHelp}>How it works</a>
    </nav>
  );
  return (
    <header className="desk-head cluster flush">
      <h1>{title}</h1>
      <p>
        {total > 0 && <b className="desk-progress">{`${decided} of ${total} decided`}</b>}
        {isSample
          ? ". Sample – fictitious: nothing is stored."
          : !signed && `${total > 0 ? ". " : ""}You decide as ${link.marker}`}
      </p>
      {signed && (
        <p className="margin-note">
          {`Signed by ${signed.by} on ${formatDayOf(signed.at)}: nothing can be changed here.`}
        </p>
      )}
      {/* Once a mark is decided, phones have the menu folded, to leave room for the answer. */}
      {view.kind === "answer" && decided > 0 ? <Fold title="Leave this answer">{menu}</Fold> : menu}
    </header>
  );
}

/** The keys of the sample's answers, for the script of the page: "1:1.1 1:1.2". */
const sampleAnswerKeys = ({ learners, questions }: DeskHead["link"]): string =>
  (learners ?? [])
    .flatMap((id) => (questions ?? []).map((question) => `${id}:${question}`))
    .join(" ");

/** Says that the sample is made up, and that only script can decide it. */
function SampleNote() {
  return (
    <p className="hint no-print">
      This work is made up. What you decide is in this page alone, and gone once you leave it.{" "}
      <span className="without-script">
        Deciding needs JavaScript: without it the answers are here to read.{" "}
      </span>
      <a className="standalone-link" href={`/?results=${sampleToken}`}>
        The marks of the whole sample class
      </a>
    </p>
  );
}

/** The next step as a button, and a link to another way if there is one. */
function NextStep({ head, links }: { head: DeskHead; links: DeskLinks }) {
  const steps = nextSteps(head, links);
  if (steps.length === 0) return null;
  return (
    <p className={steps.length > 1 ? "actions no-print" : "no-print"}>
      {steps.map(([text, href], index) => (
        <a key={href} className={index === 0 ? "button" : undefined} href={href}>
          {text}
        </a>
      ))}
    </p>
  );
}

function nextSteps(
  { signed, link: { isEducators }, progress, questionCount }: DeskHead,
  links: DeskLinks,
): [text: string, href: string][] {
  const { decided, total } = progress;
  if (signed || (total > 0 && decided === total)) {
    if (!isEducators) return [];
    if (signed) return [["Open the class report", links.report]];
    return [["Sign on the class report", `${links.report}#sign`]];
  }
  const begin = decided === 0 ? "Start" : "Go on";
  if (isEducators) {
    return [
      [`${begin} deciding`, links.next("learner")],
      ["Decide question by question", links.next("question")],
    ];
  }
  if (questionCount === 0) return [["Set the questions", links.questions]];
  return [
    [`${begin} marking`, links.next("question")],
    ["Mark learner by learner", links.next("learner")],
  ];
}

/** What was decided on the page before, and the way back to it. */
function Saved({
  link,
  saved: { learner, mark },
  links,
}: {
  link: DeskHead["link"];
  saved: SavedAnswer;
  links: DeskLinks;
}) {
  const { questionNumber, notAnswered, marksAwarded, decision } = mark;
  const state = learner.noGrade ?? (learner.absenceReportedBy && "absent, for the lead to decide");
  if (!decision) {
    if (!state) return null;
    return (
      <p className="desk-saved margin-note no-print">{`Saved: ${learnerLabel(learner)}: ${state}. `}</p>
    );
  }
  const marks = notAnswered ? "not answered" : marksAwarded;
  const { by, role, at } = decision;
  // Another person may have given the same decision before: then name that person.
  const isOwn = link.isEducators ? role === "educator" : role === "marker" && by === link.marker;
  const how = isOwn ? "Saved" : `Decided by ${nameOf(decision, readerAtDesk(link))},`;
  return (
    <p className="desk-saved margin-note no-print">
      {`${how} ${formatTimeOf(at)}: ${answerLabel(learner, questionNumber)}: ${marks}${state ? ` (${state})` : ""}. `}
      <a href={links.answer({ learnerId: learner.id, questionNumber })}>Change it</a>
    </p>
  );
}
