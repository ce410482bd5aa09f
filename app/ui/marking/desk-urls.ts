import type { AnswerKey, DeskLearner, MarkingOrder, NextFrom } from "../../domain/desk.ts";
import { idIn } from "../../domain/row-id.ts";
import type { StampKind } from "../../domain/stamp.ts";
import { maxShownProblems } from "../../results/problem-form.ts";
import { stampKindOf } from "../../results/stamp-form.ts";
import { markingApiPrefix, markingPath } from "../../site.ts";

/** What a page of the marking desk shows. "next" leads to the next answer; "missing" is for what does not exist. */
export type DeskView =
  | { kind: "overview" | "paper" | "questions" | "finish" | "missing" }
  | { kind: "learners"; learnerId: number | null }
  | { kind: "problems"; shown: ShownProblems }
  | { kind: "next"; from: NextFrom; shown: ShownAnswer }
  | { kind: "answer"; answer: AnswerKey; shown: ShownAnswer; ahead: NextFrom["ahead"] };

/** What was chosen in the form of problem pages before a page was turned. */
export interface ShownProblems {
  ticked: number[];
  /** The id of the learner who gets the pages; "" for none. */
  to: string;
}

/** How an answer is shown. */
export interface ShownAnswer {
  /** The order in which the next answer follows. */
  order: MarkingOrder;
  /** What a click on a page places. */
  stamp: StampKind;
  /** Whether pages are as wide as they can be. */
  isZoomed: boolean;
  /** Whether “Without the reasons” is ticked beside “Agree with the rest”. */
  withoutReasons: boolean;
  /** At which page the work is opened, from 1; null for its beginning. */
  page: number | null;
}

/** The view that a URL of the desk asks for, even if its link does not open that view. */
export function deskViewOf(query: URLSearchParams): DeskView {
  const view = query.get("view");
  if (view === "mark") return answerView(query);
  if (view === "learners") {
    const learner = query.get("learner");
    const learnerId = idIn(learner) ?? null;
    const isMalformed = learner !== null && learnerId === null;
    return isMalformed ? { kind: "missing" } : { kind: "learners", learnerId };
  }
  if (view === "problems") {
    const ticked = query.get("ticked")?.split(" ", maxShownProblems).map(Number) ?? [];
    return { kind: "problems", shown: { ticked, to: query.get("to")?.slice(0, 15) ?? "" } };
  }
  if (view === "paper" || view === "questions" || view === "finish") return { kind: view };
  return { kind: view === null ? "overview" : "missing" };
}

/** The view of the answer that the URL names, or of the next answer if it names none. */
function answerView(query: URLSearchParams): DeskView {
  const [learner, questionNumber] = [query.get("learner"), query.get("question")];
  const shown = readShown(query);
  const ahead = readAhead(query);
  if (learner === null && questionNumber === null) {
    const after = readKey(query.get("after"));
    return { kind: "next", from: { order: shown.order, after, ahead }, shown };
  }
  const learnerId = idIn(learner);
  return learnerId === undefined || questionNumber === null
    ? { kind: "missing" }
    : { kind: "answer", answer: { learnerId, questionNumber }, shown, ahead };
}

const readShown = (query: URLSearchParams): ShownAnswer => ({
  order: query.get("order") === "learner" ? "learner" : "question",
  stamp: stampKindOf(query.get("stamp")),
  isZoomed: query.has("zoom"),
  withoutReasons: query.has("without"),
  page: readPage(query.get("page")),
});

/** The number of a page, from 1; null if the text is no such number. */
export const readPage = (text: string | null | undefined): number | null =>
  /^[1-9]\d{0,3}$/.test(text ?? "") ? Number(text) : null;

/** Reads the answer that the page shows and the last one fetched ahead; undefined unless the URL names both. */
function readAhead(query: URLSearchParams): NextFrom["ahead"] {
  const shown = readKey(query.get("shown"));
  const last = readKey(query.get("ahead"));
  return shown && last && { shown, last };
}

/** Reads an answer in a URL: the learner's id, a colon and the question. Undefined for another text. */
export function readKey(text: string | null): AnswerKey | undefined {
  const [, id, questionNumber] = /^(\d{1,15}):(.+)$/s.exec(text ?? "") ?? [];
  return id && questionNumber ? { learnerId: Number(id), questionNumber } : undefined;
}

const keyText = ({ learnerId, questionNumber }: AnswerKey) => `${learnerId}:${questionNumber}`;

/** The pages and files of the desk under one token. @param defaultOrder the order in links to answers that name none */
export function deskLinks(token: string, defaultOrder: MarkingOrder = "question") {
  const start = `${markingPath}?link=${encodeURIComponent(token)}`;
  const page = (parameters: Record<string, string | number | undefined> = {}) => {
    const query = Object.entries(parameters).map(([name, value]) =>
      value === undefined ? "" : `&${name}=${encodeURIComponent(value)}`,
    );
    return start + query.join("");
  };
  // A URL without an order means “question”.
  const orderOf = (order: MarkingOrder) => (order === "learner" ? order : undefined);
  return {
    overview: page(),
    /** The class report of an educator's link. */
    report: `/?results=${encodeURIComponent(token)}`,
    /** The question paper and the memo, to read. */
    paper: page({ view: "paper" }),
    questions: page({ view: "questions" }),
    learners: page({ view: "learners" }),
    learner: (learner: number) => page({ view: "learners", learner }),
    /** @param saved the answer that was decided on the page before */
    finish: (saved?: AnswerKey) => page({ view: "finish", saved: saved && keyText(saved) }),
    problems: ({ ticked, to }: Partial<ShownProblems> = {}) =>
      page({ view: "problems", ticked: ticked?.join(" ") || undefined, to: to || undefined }),
    answer: (
      { learnerId, questionNumber }: AnswerKey,
      {
        order = defaultOrder,
        stamp = "tick",
        isZoomed,
        withoutReasons,
        page: firstPage,
      }: Partial<ShownAnswer> = {},
      saved?: AnswerKey,
    ) =>
      page({
        view: "mark",
        order: orderOf(order),
        learner: learnerId,
        question: questionNumber,
        stamp: stamp === "tick" ? undefined : stamp,
        zoom: isZoomed ? 1 : undefined,
        without: withoutReasons ? 1 : undefined,
        page: firstPage ?? undefined,
        saved: saved && keyText(saved),
      }),
    /** @param firstPage the page at which the work is opened, from 1 */
    next: (order: MarkingOrder, after?: AnswerKey, firstPage?: number | null) =>
      page({
        view: "mark",
        order: orderOf(order),
        after: after && keyText(after),
        page: firstPage ?? undefined,
      }),
    picture: (fileId: number, number: number) =>
      `${markingApiPrefix}${token}/pages/${fileId}/${number}`,
    original: (fileId: number) => `${markingApiPrefix}${token}/originals/${fileId}`,
  };
}

export type DeskLinks = ReturnType<typeof deskLinks>;

/** What an educator reads where markers change the class. */
export const askTeam =
  "This is here to read: our team changes it. Reply to the email that brought you here.";

/** A learner by name and number; by the number alone if the link shows no names. */
export const learnerLabel = ({ name, number }: Pick<DeskLearner, "name" | "number">): string =>
  name === null ? `Learner ${number}` : `${name} (${number})`;

export const answerLabel = (learner: Pick<DeskLearner, "name" | "number">, question: string) =>
  `${learnerLabel(learner)}, question ${question}`;
