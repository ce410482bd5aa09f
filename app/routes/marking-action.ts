/** Responds to posts to the marking desk: by a redirect, or by the page again. */
import type { DeskServices, RouteContext } from "../context.ts";
import { type DecisionRejection, decisionTexts } from "../domain/decision.ts";
import type {
  AnswerKey,
  LearnerChange,
  NewLearner,
  NextAnswer,
  ShownFile,
} from "../domain/desk.ts";
import { askIntent, maxAsked } from "../domain/lead-question.ts";
import type { PointChoices } from "../domain/memo-point.ts";
import { isNoGrade, sampleToken } from "../domain/result.ts";
import { idIn } from "../domain/row-id.ts";
import {
  isMarkTyped,
  readDecision,
  readRest,
  typedIn,
  withoutReason,
  withoutReasons,
} from "../results/decision-form.ts";
import { maxShownProblems, readProblemChange, tickedIn } from "../results/problem-form.ts";
import { readQuestionLines } from "../results/question-lines.ts";
import { readStamp, readTurn, stampIntent, stampKindOf } from "../results/stamp-form.ts";
import { marksBesidesTicks } from "../results/ticks.ts";
import {
  maxName,
  readComment,
  readLearnerNumber,
  readMarks,
  readName,
  type Wrong,
} from "../results/typed-decision.ts";
import {
  type DeskLinks,
  type DeskView,
  deskLinks,
  deskViewOf,
  readPage,
  type ShownAnswer,
} from "../ui/marking/desk-urls.ts";
import { placeAnchor, shownAnchor } from "../ui/script/work.tsx";
import {
  incomplete,
  postToSample,
  type Rejected,
  rejectionOf,
  respondToPrivatePost,
  type Typed,
} from "./private-post.ts";

interface Posted {
  token: string;
  typed: Typed;
  links: DeskLinks;
  services: DeskServices;
}

export function markingAction(
  { searchParams: query }: URL,
  { desk: services, readTexts }: Pick<RouteContext, "desk" | "readTexts">,
) {
  const token = query.get("link") ?? "";
  return respondToPrivatePost(readTexts, async (typed) =>
    token === sampleToken
      ? postToSample
      : await perform({ token, typed, links: deskLinks(token), services }, deskViewOf(query)),
  );
}

/** Does what the posted form asks for. @returns the URL to go on to, or why nothing was stored */
async function perform(posted: Posted, viewOfUrl: DeskView): Promise<string | Rejected> {
  const { intent, from } = posted.typed;
  // `from` is the page that was chosen in the form: the next learner's work opens at it.
  const view =
    viewOfUrl.kind === "answer" && from !== undefined
      ? { ...viewOfUrl, shown: { ...viewOfUrl.shown, page: readPage(from) } }
      : viewOfUrl;
  if (view.kind === "missing" || view.kind === "next")
    return rejectionOf({ outcome: "no learner" });
  if (view.kind === "answer") {
    if (intent === "save" || intent === "agree") return await decide(posted, view);
    if (intent === askIntent) return await askOnly(posted, view);
    if (intent === "rest") return await agreeWithRest(posted, view);
    if (intent === "absent") return await setAbsent(posted, view);
    return (await changeWork(posted, view)) ?? incomplete;
  }
  if (intent === "questions") return await setPaper(posted);
  if (view.kind === "problems") return await changeProblems(posted);
  const change = readChange(posted.typed, view.kind === "learners" ? view.learnerId : null);
  if (!change) return incomplete;
  return "error" in change ? { status: 422, ...change } : await changeLearners(posted, change);
}

type AnswerView = Extract<DeskView, { kind: "answer" }>;

/** Sends a typed question to the lead, decides the mark, and goes on. A rejected form is kept as a draft. */
async function decide(
  posted: Posted,
  { answer, shown, ahead }: AnswerView,
): Promise<string | Rejected> {
  const asked = await ask(posted, answer);
  if ("error" in asked) return await keepAndReject(posted, answer, asked);
  const { rest } = asked;
  const { token, typed, links, services } = rest;
  const { learnerId, questionNumber } = answer;
  const read = readDecision({ ...typed, question: questionNumber });
  if ("error" in read) return await keepAndReject(rest, answer, { status: 422, ...read });
  const decision = { ...read, learnerId, order: shown.order, ahead };
  const outcome = await services.decideAnswer(token, decision);
  if (outcome.outcome === "stored") {
    // A comment that is on no page yet stays in its field.
    const { stampText } = typed;
    if (stampText) await keepTyped({ ...rest, typed: { marks: "", stampText } }, answer);
    return nextUrl(links, outcome.next, shown, answer);
  }
  const rejected = { ...rejectionOf(outcome), ...tooManyIn(typed, outcome) };
  if (outcome.outcome !== "other points") return await keepAndReject(rest, answer, rejected);
  // The returned form shows the sum of the points as they are now.
  const retyped = { ...typed, marks: marksBesidesTicks(typed) };
  return await keepAndReject({ ...rest, typed: retyped }, answer, rejected);
}

/** Stores a rejected form as a draft. Returns the form with `rejected`, or with why no draft was stored. */
const keepAndReject = async (posted: Posted, answer: AnswerKey, rejected: Rejected) => ({
  ...((await keepTyped(posted, answer)) ?? rejected),
  typed: posted.typed,
});

/** Returns the field's error if the marks are more than the question has; undefined for any other outcome. */
function tooManyIn({ marks = "" }: Typed, outcome: DecisionRejection): Wrong | undefined {
  const read = outcome.outcome === "too many" ? readMarks(marks, outcome.totalMarks) : undefined;
  return typeof read === "object" ? read : undefined;
}

/** Sends the question to the lead, if one was typed. Returns the form without it, or why it was not sent. */
async function ask(
  posted: Posted,
  answer: AnswerKey,
): Promise<{ isSent: boolean; rest: Posted } | Rejected> {
  const { token, typed, services } = posted;
  const text = readComment(typed.ask ?? "", maxAsked, "The question");
  if (text === "") return { isSent: false, rest: posted };
  if (typeof text !== "string") return { status: 422, intent: askIntent, ...text };
  const outcome = await services.askLead(token, { ...answer, text });
  if (outcome.outcome !== "stored") return { intent: askIntent, ...rejectionOf(outcome) };
  return { isSent: true, rest: { ...posted, typed: { ...typed, ask: "" } } };
}

/** Asks the lead, keeps what else was typed, and shows the same answer. */
async function askOnly(posted: Posted, { answer, shown }: AnswerView): Promise<string | Rejected> {
  const asked = await ask(posted, answer);
  if ("error" in asked) return await keepAndReject(posted, answer, asked);
  const { isSent, rest } = asked;
  if (!isSent) {
    const error = "Type the question first.";
    return await keepAndReject(rest, answer, { status: 422, intent: askIntent, error });
  }
  const lost = await keepTyped(rest, answer);
  if (lost) return { ...lost, typed: rest.typed };
  return `${rest.links.answer(answer, withPostedBox(rest, shown))}#${askIntent}`;
}

/** Agrees with all open proposals of the learner, unless something else is typed for the one that is shown. */
async function agreeWithRest(posted: Posted, view: AnswerView): Promise<string | Rejected> {
  const read = readRest(posted.typed);
  if (!read) return incomplete;
  const { answer, shown } = view;
  const { typed, links } = posted;
  const lost = await keepTyped(posted, answer);
  if (lost) return lost;
  const isShown = read.seen.some(({ questionNumber }) => questionNumber === answer.questionNumber);
  const isGiven =
    isMarkTyped(typed) ||
    decisionTexts.some((name) => typed[name]?.trim()) ||
    withoutReason in typed;
  if (isShown && isGiven) {
    return {
      status: 422,
      error: "Save what you typed or ticked for this answer first, or clear it.",
    };
  }
  const rest = { ...answer, ...read, order: shown.order };
  const outcome = await posted.services.agreeWithRest(posted.token, rest);
  if (outcome.outcome !== "stored") return rejectionOf(outcome);
  return nextUrl(links, outcome.next, shown, answer);
}

/** Records a learner without work as absent, decided by the lead or reported by a marker, and goes on. */
async function setAbsent(posted: Posted, view: AnswerView): Promise<string | Rejected> {
  const { token, links, services } = posted;
  const { answer, shown } = view;
  const change = { change: "absent", learnerId: answer.learnerId } as const;
  const outcome = await services.changeLearners(token, change);
  if (outcome.outcome !== "stored") return rejectionOf(outcome);
  const from = { order: shown.order, after: answer };
  return nextUrl(links, await services.takeNextAnswer(token, from), shown, answer);
}

/** Returns the URL of the next answer, or of the view "finish". @param saved the answer decided on the page before */
export function nextUrl(
  links: DeskLinks,
  next: NextAnswer,
  shown: ShownAnswer,
  saved?: AnswerKey,
): string {
  if (next.outcome !== "answer") return links.finish(saved);
  const anchor = shown.page === null ? "" : `#${shownAnchor}`;
  return links.answer(next, { ...shown, withoutReasons: false }, saved) + anchor;
}

/** Returns how to show the answer again. Drafts lack the box of “Agree with the rest”, so the post is read. */
const withPostedBox = ({ typed }: Posted, shown: ShownAnswer): ShownAnswer => ({
  ...shown,
  withoutReasons: withoutReasons in typed,
});

/** Keeps what was typed, then does what a button on the work asks for; undefined if the form has no such button. */
async function changeWork(posted: Posted, { answer, shown }: AnswerView) {
  const { token, typed, links, services } = posted;
  const { zoom, use } = typed;
  const comment = [typed.comment, use].filter(Boolean).join(" ");
  const here = (anchor: string, isZoomed = shown.isZoomed) =>
    `${links.answer(answer, { ...withPostedBox(posted, shown), isZoomed, stamp: stampKindOf(typed.stamp) })}#${anchor}`;
  const rejected = await keepTyped({ ...posted, typed: { ...typed, comment } }, answer);
  if (rejected) return rejected;
  if (use !== undefined) return here("comment");
  if (zoom !== undefined) {
    const [, to, anchor] = /^(in|out)-(page-\d+-\d+)$/.exec(zoom) ?? [];
    return anchor ? here(anchor, to === "in") : incomplete;
  }
  const turned = readTurn(typed);
  if (turned) {
    const outcome = await services.turnPage(token, answer, turned);
    return outcome.outcome === "stored"
      ? here(placeAnchor({ ...turned, paragraph: null }))
      : rejectionOf(outcome);
  }
  const found = await services.openAnswer(token, { ...answer, order: shown.order, isRead: true });
  if (found === null) return rejectionOf({ outcome: "no link" });
  if (found === "missing") return rejectionOf({ outcome: "no learner" });
  return await changeStamps(posted, answer, found.work, here);
}

/** Removes or places a stamp; undefined if the form does neither. @param here returns the answer's URL at an anchor */
async function changeStamps(
  posted: Posted,
  answer: AnswerKey,
  work: ShownFile[],
  here: (anchor: string) => string,
) {
  const { token, typed, services } = posted;
  const { remove } = typed;
  if (remove !== undefined) {
    const stampId = idIn(remove) ?? 0;
    const place = work.flatMap(({ stamps }) => stamps).find(({ id }) => id === stampId);
    const outcome = await services.removeStamp(token, answer, stampId);
    return outcome.outcome === "stored" ? here(placeAnchor(place)) : rejectionOf(outcome);
  }
  const placed = readStamp(typed, work);
  if (placed === undefined) return undefined;
  if (placed === "nowhere") return rejectionOf({ outcome: "no place" });
  if ("error" in placed) return { status: 422, intent: stampIntent, ...placed };
  const outcome = await services.placeStamp(token, answer, placed);
  if (outcome.outcome !== "stored") return { intent: stampIntent, ...rejectionOf(outcome) };
  // A comment that is on the page leaves its field.
  if (placed.kind === "comment") {
    await keepTyped({ ...posted, typed: { ...typed, stampText: "" } }, answer);
  }
  return here(placeAnchor(placed));
}

/**
 * Stores what was typed as a draft, unless the post has no `marks`: script omits `marks` when it sends a stamp again.
 * @returns why the draft was not stored; undefined if it was, or there was none
 */
async function keepTyped(
  { token, typed, services }: Posted,
  answer: AnswerKey,
): Promise<Rejected | undefined> {
  if (typed.marks === undefined) return undefined;
  const draft = { ...answer, ...typedIn(typed), marks: marksBesidesTicks(typed) };
  const outcome = await services.saveMarkDraft(token, draft);
  return outcome.outcome === "stored" ? undefined : rejectionOf(outcome);
}

async function setPaper({ token, typed, links, services }: Posted): Promise<string | Rejected> {
  const title = readComment(typed.title ?? "", maxName, "The title");
  if (typeof title !== "string") return { status: 422, ...title, field: "title" };
  if (title === "") return { status: 422, error: "Type a title for the class.", field: "title" };
  const read = readQuestionLines(typed.lines ?? "");
  if (read.errors) {
    return { status: 422, error: "Some lines cannot be read.", lines: read.errors };
  }
  const { seen = "", confirmed: confirmedVersion, points, changesDecided } = typed;
  const outcome = await services.setPaper(token, {
    title,
    questions: read.questions,
    seenVersion: seen,
    ...(confirmedVersion !== undefined && { confirmedVersion }),
    ...(points !== undefined && {
      points: {
        version: points,
        choices: readChoices(typed),
        changesDecided: changesDecided !== undefined,
      },
    }),
  });
  return outcome.outcome === "stored" ? links.overview : rejectionOf(outcome);
}

/** Reads the choices for unclear points: by `choiceKey`, a stored point's id, or 0 for a new point. */
const readChoices = (typed: Typed): PointChoices =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, chosen]) => {
      const place = /^point-(\d{1,3}-\d{1,3})$/.exec(name)?.[1];
      const id = idIn(chosen);
      return place !== undefined && id !== undefined ? [[place, id]] : [];
    }),
  );

/**
 * Reads a form that changes learners.
 * @param learnerId the learner whose page has the form; null for the list
 * @returns undefined if its fields are missing or malformed
 */
function readChange(typed: Typed, learnerId: number | null): ReadChange {
  if (typed.intent === "add") {
    const learner = readNewLearner(typed);
    return "error" in learner ? learner : { change: "add", learner };
  }
  if (learnerId === null) return undefined;
  switch (typed.intent) {
    case "no grade":
      return readNoGrade(typed, learnerId);
    case "join": {
      const otherId = idIn(typed.other);
      return otherId === undefined ? undefined : { change: "join", learnerId, otherId };
    }
    case "divide":
      return readDivision(typed, learnerId);
    default:
      return undefined;
  }
}

type ReadChange = LearnerChange | Wrong | undefined;

function readNoGrade({ reason }: Typed, learnerId: number): ReadChange {
  if (reason === "graded") return { change: "no grade", learnerId, noGrade: null };
  return isNoGrade(reason) ? { change: "no grade", learnerId, noGrade: reason } : undefined;
}

function readDivision(typed: Typed, learnerId: number): ReadChange {
  const { page = "", to = "" } = typed;
  if (!/^\d{1,5}$/.test(page.trim())) {
    return { error: "Type the number of a page, such as 5.", field: "page" };
  }
  const toId = idIn(to);
  const target = to === "" ? readNewLearner(typed) : toId && { learnerId: toId };
  if (!target) return undefined;
  if ("error" in target) return target;
  return { change: "divide", learnerId, page: Number(page), to: target };
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
  // A link to a part of the class must not show whether there are problem pages.
  if (outcome.outcome === "limited link") return rejectionOf({ outcome: "no problem page" });
  if (outcome.outcome !== "stored") return rejectionOf(outcome);
  if (change.change !== "turn") return links.problems();
  const ticked = tickedIn(typed).slice(0, maxShownProblems);
  return `${links.problems({ ticked, to: typed.to ?? "" })}#page-${change.ids[0]}`;
}

/** Reads the fields of a new learner, who is named by the number if no name is typed. */
function readNewLearner({ number = "", name = "" }: Typed): NewLearner | Wrong {
  const validNumber = readLearnerNumber(number);
  if (typeof validNumber !== "string") return { ...validNumber, field: "number" };
  const validName = name.trim() === "" ? `Learner ${validNumber}` : readName(name);
  if (typeof validName !== "string") return { ...validName, field: "name" };
  return { number: validNumber, name: validName };
}

async function changeLearners(
  { token, links, services }: Posted,
  change: LearnerChange,
): Promise<string | Rejected> {
  const outcome = await services.changeLearners(token, change);
  return outcome.outcome === "stored" ? links.learner(outcome.learnerId) : rejectionOf(outcome);
}
