/** Posts to the marking desk. Each ends in a redirect, or the page again. */
import { data, redirect } from "react-router";
import type { DeskServices, RouteContext } from "../context.ts";
import type {
  AnswerKey,
  AnswerOutcome,
  Desk,
  LearnerChange,
  LearnerOutcome,
  NewLearner,
  PaperOutcome,
  StampOutcome,
} from "../domain/desk.ts";
import { isNoGrade, type QuestionMark } from "../domain/result.ts";
import type { ProblemOutcome } from "../domain/scan.ts";
import { readDecision, typedBefore } from "../results/decision-form.ts";
import { maxShownProblems, readProblemChange, tickedIn } from "../results/problem-form.ts";
import { readQuestionLines } from "../results/question-lines.ts";
import { readStamp, readTurn, stampIntent, stampKindOf } from "../results/stamp-form.ts";
import { maxTyped, readLearnerNumber, readName } from "../results/typed-decision.ts";
import type { ReturnedForm } from "../ui/marking/desk-page.tsx";
import { type DeskLinks, type DeskView, deskLinks, deskViewOf } from "../ui/marking/desk-urls.ts";
import { placeAnchor } from "../ui/script/work.tsx";
import { privateHeaders, unreadPost } from "./form-route.ts";

interface Posted {
  token: string;
  typed: Record<string, string>;
  desk: Desk;
  links: DeskLinks;
  services: DeskServices;
}

/** A sentence, and the status of the response. */
type Rejected = { status: number; error: string } & Pick<
  ReturnedForm,
  "current" | "lines" | "effects"
> &
  Partial<Pick<ReturnedForm, "intent">>;

export async function markingAction(
  url: URL,
  { desk: services, readTexts }: Pick<RouteContext, "desk" | "readTexts">,
) {
  const token = url.searchParams.get("link") ?? "";
  const typed = await readTexts();
  if (!typed) {
    return returned({}, { status: 400, error: unreadPost });
  }
  const desk = await services.find(token);
  if (!desk) return returned(typed, noLink);
  const posted: Posted = { token, typed, desk, links: deskLinks(token), services };
  const next = await perform(posted, url.searchParams);
  return typeof next === "string"
    ? redirect(next, { status: 303, headers: privateHeaders })
    : returned(typed, next);
}

/** @returns where to go on, or why nothing was stored */
async function perform(posted: Posted, query: URLSearchParams): Promise<string | Rejected> {
  const view = deskViewOf(query, posted.desk);
  const { intent } = posted.typed;
  // The answer, or the learner, may have gone since the page was opened.
  if (view.kind === "missing" || view.kind === "next") return nowhere;
  if (view.kind === "answer") {
    const next = await stamp(posted, view);
    if (next !== undefined) return next;
    if (intent === "save" || intent === "agree") return await decide(posted, view);
  }
  if (intent === "questions") return await setPaper(posted);
  if (view.kind === "problems") return await changeProblems(posted);
  const change = readChange(posted.typed, view.kind === "learners" ? view.learnerId : null);
  if (!change) return incomplete;
  return "error" in change ? { status: 422, ...change } : await changeLearners(posted, change);
}

function returned(typed: Record<string, string>, { status, ...rejected }: Rejected) {
  const shown = Object.entries(typed).flatMap(([name, text]) =>
    shownFields.test(name)
      ? [[name, text.slice(0, name === "lines" ? maxLines : maxTyped)] as const]
      : [],
  );
  return data<ReturnedForm>(
    { intent: typed.intent ?? "", typed: Object.fromEntries(shown), ...rejected },
    { status, headers: privateHeaders },
  );
}

/** What the page shows of what was typed. */
const shownFields =
  /^(question|marks|notAnswered|comment|title|lines|other|file|page|to|number|name|stampText|down|page-\d{1,15})$/;

/** More than the field for the questions accepts. */
const maxLines = 64_000;

type AnswerView = Extract<DeskView, { kind: "answer" }>;

/** Places or removes a stamp, or changes how pages are shown; undefined if the form does something else. */
async function stamp(
  { token, typed, desk, links, services }: Posted,
  { answer, shown }: AnswerView,
): Promise<string | Rejected | undefined> {
  const { remove, zoom, use } = typed;
  const work = await services.findWork(token, { learnerId: answer.learnerId });
  const placed = readStamp(typed, work);
  const turned = readTurn(typed);
  const isOther = [remove, zoom, use].every((value) => value === undefined);
  if (placed === undefined && !turned && isOther) return undefined;
  const comment = [typed.comment, use].filter(Boolean).join(" ");
  await keepTyped({ token, typed: { ...typed, comment }, desk, services }, answer);
  const here = (anchor: string, isZoomed = shown.isZoomed) =>
    `${links.answer(answer, { ...shown, isZoomed, stamp: stampKindOf(typed.stamp) })}#${anchor}`;
  if (use !== undefined) return here("comment");
  if (zoom !== undefined) {
    const [, to, anchor] = /^(in|out)-(page-\d+-\d+)$/.exec(zoom) ?? [];
    return anchor ? here(anchor, to === "in") : incomplete;
  }
  if (remove !== undefined) {
    const stampId = /^\d{1,15}$/.test(remove) ? Number(remove) : 0;
    const place = work.flatMap(({ stamps }) => stamps).find(({ id }) => id === stampId);
    const outcome = await services.removeStamp(token, answer, stampId);
    return outcome.outcome === "stored" ? here(placeAnchor(place)) : rejectionOf(outcome);
  }
  if (turned) {
    const outcome = await services.turnPage(token, answer, turned);
    return outcome.outcome === "stored"
      ? here(placeAnchor({ ...turned, paragraph: null }))
      : rejectionOf(outcome);
  }
  if (placed === "nowhere") return rejectionOf({ outcome: "no place" });
  if ("error" in placed!) return { status: 422, intent: stampIntent, ...placed };
  const outcome = await services.placeStamp(token, answer, placed!);
  return outcome.outcome === "stored"
    ? here(placeAnchor(placed!))
    : { intent: stampIntent, ...rejectionOf(outcome) };
}

/**
 * Stores what was typed and is not decided, unless it is what the page showed of the decision. A stamp that was sent
 * again later comes without it.
 */
async function keepTyped(
  { token, typed, desk, services }: Pick<Posted, "token" | "typed" | "desk" | "services">,
  answer: AnswerKey,
): Promise<void> {
  const { marks, comment = "", stampText = "" } = typed;
  if (marks === undefined) return;
  const own = { marks, comment, notAnswered: typed.notAnswered !== undefined };
  const before = typedBefore(markOf(desk, answer));
  const isSame = Object.entries(before).every(
    ([name, value]) => own[name as keyof typeof own] === value,
  );
  const none = { marks: "", comment: "", notAnswered: false };
  await services.saveDraft(token, { ...answer, ...(isSame ? none : own), stampText });
}

function markOf({ learners }: Desk, { learnerId, questionNumber }: AnswerKey): QuestionMark {
  const { marks } = learners.find(({ id }) => id === learnerId)!;
  return marks.find((one) => one.questionNumber === questionNumber)!;
}

async function decide(posted: Posted, { answer, shown }: AnswerView): Promise<string | Rejected> {
  const { token, typed, desk, links, services } = posted;
  const { learnerId, questionNumber } = answer;
  const mark = markOf(desk, answer);
  const read = readDecision({ ...typed, question: questionNumber }, 0, mark);
  const rejected = "error" in read ? { status: 422, ...read } : undefined;
  const outcome =
    "error" in read
      ? undefined
      : await services.decide(token, {
          ...{ learnerId, questionNumber, marks: read.marks, comment: read.comment },
          ...{ seenDecisionId: read.seen.decisionId, seenMarks: read.seen.marks },
        });
  if (outcome?.outcome === "stored") {
    const next = await services.takeNext(token, { order: shown.order, after: answer });
    return next.outcome === "answer" ? links.answer(next, shown, answer) : links.finish(answer);
  }
  if (typed.intent === "save") await keepTyped(posted, answer);
  return rejected ?? rejectionOf(outcome!);
}

async function setPaper({ token, typed, links, services }: Posted): Promise<string | Rejected> {
  const title = readName(typed.title ?? "");
  if (typeof title !== "string") return { status: 422, error: "Type a title for the class." };
  const read = readQuestionLines(typed.lines ?? "");
  if (read.errors) {
    return { status: 422, error: "Some lines cannot be read.", lines: read.errors };
  }
  const { seen = "", confirmed } = typed;
  const isConfirmed = confirmed !== undefined && /^\d{1,15}$/.test(confirmed);
  const outcome = await services.setPaper(token, {
    ...{ title, questions: read.questions, seenVersion: seen },
    ...(isConfirmed && { confirmedDecisionId: Number(confirmed) }),
  });
  return outcome.outcome === "stored" ? links.overview : rejectionOf(outcome);
}

/** Reads the form that changes learners. @returns undefined if it is none */
function readChange(
  typed: Record<string, string>,
  learnerId: number | null,
): LearnerChange | { error: string } | undefined {
  const { intent, reason, other = "", file = "", page = "", to = "" } = typed;
  if (intent === "add") {
    const learner = readNewLearner(typed);
    return "error" in learner ? learner : { change: "add", learner };
  }
  if (learnerId === null) return undefined;
  if (intent === "no grade") {
    if (reason === "graded") return { change: "no grade", learnerId, noGrade: null };
    return isNoGrade(reason) ? { change: "no grade", learnerId, noGrade: reason } : undefined;
  }
  if (intent === "join" && isId(other))
    return { change: "join", learnerId, otherId: Number(other) };
  if (intent !== "divide" || !isId(file)) return undefined;
  if (!/^\d{1,5}$/.test(page.trim())) return { error: "Type the number of a page, such as 5." };
  const target =
    to === "" ? readNewLearner(typed) : isId(to) ? { learnerId: Number(to) } : undefined;
  if (!target || "error" in target) return target;
  return {
    ...{ change: "divide", learnerId, fileId: Number(file), fromPage: Number(page), to: target },
  };
}

async function changeProblems({
  token,
  typed,
  links,
  services,
}: Posted): Promise<string | Rejected> {
  const change = readProblemChange(typed);
  if (!change) return incomplete;
  if ("error" in change) return { status: 422, ...change };
  const outcome = await services.changeProblemPages(token, change);
  if (outcome.outcome !== "stored") return rejectionOf(outcome);
  if (change.change !== "turn") return links.problems();
  const ticked = tickedIn(typed).slice(0, maxShownProblems);
  return `${links.problems({ ticked, to: typed.to ?? "" })}#page-${change.ids[0]}`;
}

const isId = (text: string) => /^\d{1,15}$/.test(text);

function readNewLearner({ number = "", name = "" }: Record<string, string>) {
  const readNumber = readLearnerNumber(number);
  if (typeof readNumber !== "string") return readNumber;
  const readLearnerName = name.trim() === "" ? `Learner ${readNumber}` : readName(name);
  if (typeof readLearnerName !== "string") return readLearnerName;
  return { number: readNumber, name: readLearnerName } satisfies NewLearner;
}

async function changeLearners(
  { token, links, services }: Posted,
  change: LearnerChange,
): Promise<string | Rejected> {
  const outcome = await services.changeLearners(token, change);
  return outcome.outcome === "stored" ? links.learner(outcome.learnerId) : rejectionOf(outcome);
}

const incomplete: Rejected = {
  status: 400,
  error: "The form was incomplete, and nothing was stored. Please fill it in on this page again.",
};
const nowhere: Rejected = {
  status: 404,
  error: "There is no such learner or answer, or this link does not open it. Nothing was stored.",
};
const noLink: Rejected = {
  status: 404,
  error: "This link opens no marking desk any more. What you sent was not stored.",
};

type Rejection = Exclude<
  AnswerOutcome | PaperOutcome | LearnerOutcome | StampOutcome | ProblemOutcome,
  { outcome: "stored" }
>;

function rejectionOf(rejection: Rejection): Rejected {
  switch (rejection.outcome) {
    case "no link":
      return noLink;
    case "no learner":
    case "no question":
      return nowhere;
    case "signed":
      return {
        status: 409,
        error: `${rejection.signature.by} has signed these marks, so nothing was stored. Ask the team to reopen them.`,
      };
    case "limited link":
      return { status: 403, error: "This link opens a part of the class and cannot change this." };
    case "too many":
      return { status: 422, error: `This question has ${rejection.totalMarks} marks.` };
    case "conflict":
      return "mark" in rejection
        ? {
            status: 409,
            error: "This mark has changed since the page was opened. Yours was not stored yet.",
            current: rejection.mark,
          }
        : {
            status: 409,
            error:
              "The questions have changed since this page was opened. Nothing of yours was stored yet: these are the new ones. Save to put yours in their place.",
          };
    case "affects":
      return {
        status: 409,
        error: "Some marks are decided already. Nothing was changed yet.",
        effects: { sentences: rejection.effects, lastDecisionId: rejection.lastDecisionId },
      };
    case "decided":
      return {
        status: 409,
        error: "An answer of the learner is decided already, so the pages stay with whom they are.",
      };
    case "no page":
      return {
        status: 422,
        error: "The file has no such page, or it would be its first one, which stays.",
      };
    case "no place":
      return { status: 404, error: "The learner’s work has no such page, so nothing was changed." };
    case "too many stamps":
      return {
        status: 422,
        error: `A file may have ${rejection.max} stamps, and this one has them all.`,
      };
    case "no problem page":
      return { status: 404, error: "There is no such problem page. Nothing was changed." };
    case "given":
      return {
        status: 409,
        error:
          "A page has been given to a learner meanwhile. Put it back first. Nothing was changed.",
      };
    case "number taken":
      return { status: 422, error: "Another learner has this number." };
  }
}
