/** Posts to the marking desk. Each ends in a redirect, or the page again. */
import { data, redirect } from "react-router";
import type { DeskServices, RouteContext } from "../context.ts";
import type {
  AnswerKey,
  AnswerOutcome,
  Desk,
  LearnerChange,
  LearnerOutcome,
  MarkingOrder,
  NewLearner,
  PaperOutcome,
} from "../domain/desk.ts";
import { isNoGrade } from "../domain/result.ts";
import { readDecision } from "../results/decision-form.ts";
import { readQuestionLines } from "../results/question-lines.ts";
import { maxComment, readLearnerNumber, readName } from "../results/typed-decision.ts";
import type { ReturnedForm } from "../ui/marking/desk-page.tsx";
import { type DeskLinks, deskLinks, deskViewOf } from "../ui/marking/desk-urls.ts";
import { privateHeaders } from "./form-route.ts";

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
>;

export async function markingAction(
  url: URL,
  { desk: services, readTexts }: Pick<RouteContext, "desk" | "readTexts">,
) {
  const token = url.searchParams.get("link") ?? "";
  const typed = await readTexts();
  if (!typed) {
    const error = "What was sent could not be read, or was too long. Nothing was stored.";
    return returned({}, { status: 400, error });
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
  if (intent === "save" || intent === "agree") {
    return view.kind === "answer" ? await decide(posted, view.answer, view.order) : nowhere;
  }
  if (intent === "questions") return await setPaper(posted);
  const change = readChange(posted.typed, view.kind === "learners" ? view.learnerId : null);
  if (!change) return incomplete;
  return "error" in change ? { status: 422, ...change } : await changeLearners(posted, change);
}

/** Cut off at what a field accepts and some more: the whole of a post would become a larger page. */
function returned(typed: Record<string, string>, { status, ...rejected }: Rejected) {
  const shown = Object.entries(typed).flatMap(([name, text]) => {
    const max = shownFields[name];
    return max === undefined ? [] : [[name, text.slice(0, max)] as const];
  });
  return data<ReturnedForm>(
    { intent: typed.intent ?? "", typed: Object.fromEntries(shown), ...rejected },
    { status, headers: privateHeaders },
  );
}

/** What the page shows of what was typed, and how many characters of it. */
const shownFields: Record<string, number> = {
  ...{ question: 50, marks: 50, notAnswered: 10, comment: 2 * maxComment },
  ...{ title: 400, lines: 64_000, other: 20, file: 20, page: 20, to: 20, number: 100, name: 400 },
};

async function decide(
  { token, typed, desk, links, services }: Posted,
  answer: AnswerKey,
  order: MarkingOrder,
): Promise<string | Rejected> {
  const { learnerId, questionNumber } = answer;
  const { marks } = desk.learners.find(({ id }) => id === learnerId)!;
  const mark = marks.find((one) => one.questionNumber === questionNumber)!;
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
    const next = await services.takeNext(token, { order, after: answer });
    return next.outcome === "answer" ? links.answer(next, order, answer) : links.finish(answer);
  }
  const { marks: typedMarks = "", comment = "" } = typed;
  if (typed.intent === "save") {
    await services.saveDraft(token, { ...answer, marks: typedMarks, comment });
  }
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
  error: "There is no such answer, or this link does not open it. Nothing was stored.",
};
const noLink: Rejected = {
  status: 404,
  error: "This link opens no marking desk any more. What you sent was not stored.",
};

type Rejection = Exclude<AnswerOutcome | PaperOutcome | LearnerOutcome, { outcome: "stored" }>;

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
    case "number taken":
      return { status: 422, error: "Another learner has this number." };
  }
}
