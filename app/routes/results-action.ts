/** Posts to a page of results: decisions, and the signature. Each ends in a redirect, or the page again. */
import { data, redirect } from "react-router";
import type { RouteContext } from "../context.ts";
import type { DecisionRejection, SigningOutcome } from "../domain/decision.ts";
import { canDecide, type QuestionMark, type Results } from "../domain/result.ts";
import type { ReturnedDecision } from "../islands/results/view/deciding.tsx";
import { linksOf, type ResultsLinks } from "../islands/results/view/results-urls.ts";
import { noughtField, readDecision, readRest } from "../results/decision-form.ts";
import { maxTyped, readName } from "../results/typed-decision.ts";
import { privateHeaders, unreadPost } from "./form-route.ts";

type Services = Pick<
  RouteContext,
  "readTexts" | "findResults" | "decideMark" | "agreeWithRest" | "signResults"
>;

interface Posted {
  token: string;
  typed: Record<string, string>;
  results: Results;
  /** Position in the class, from 0; -1 if the URL names none. */
  learner: number;
  /** Whether the page leads through the marks to look at first. */
  looks: boolean;
  links: ResultsLinks;
}

/** A sentence, and the status of the response. */
type Rejected = { status: number; error: string; current?: QuestionMark };

export async function resultsAction(url: URL, services: Services) {
  const query = url.searchParams;
  const token = query.get("results")!;
  const typed = await services.readTexts();
  if (!typed) {
    return returned({}, { status: 400, error: unreadPost });
  }
  const results = await services.findResults(token);
  const rejected = results
    ? whyReadOnly(results, typed.intent)
    : rejectionOf({ outcome: "no link" });
  if (rejected) return returned(typed, rejected);
  const posted: Posted = {
    ...{ token, typed, links: linksOf(token), looks: query.has("look") },
    results: results!,
    learner: Number(query.get("learner")) - 1,
  };
  const next = await (typed.intent === "sign" ? sign(posted, services) : decide(posted, services));
  return typeof next === "string"
    ? redirect(next, { status: 303, headers: privateHeaders })
    : returned(typed, next);
}

function returned(typed: Record<string, string>, { status, ...rejected }: Rejected) {
  const intent = typed.intent ?? "";
  return data<ReturnedDecision>(
    { intent, typed: typedToReturn(typed), ...rejected },
    { status, headers: privateHeaders },
  );
}

/** What the page shows of what was typed. */
function typedToReturn(typed: Record<string, string>): Record<string, string> {
  // Agree types nothing: its mark is the one that the form showed.
  const decision = typed.intent === "agree" ? { marks: typed.was ?? "", comment: "" } : {};
  const all = Object.entries({ ...typed, ...decision });
  const shown = all.filter(([name]) => shownFields.test(name));
  return Object.fromEntries(shown.map(([name, text]) => [name, text.slice(0, maxTyped)]));
}

const shownFields = /^(question|marks|notAnswered|comment|name|nought-\d+)$/;

/** Why a form of results that are read-only is rejected. The store knows whether a signature is repeated. */
function whyReadOnly(results: Results, intent: string | undefined): Rejected | undefined {
  const { link, signed } = results;
  if (!link) {
    return {
      status: 403,
      error: "This is the sample: nothing is stored. Trying it needs JavaScript.",
    };
  }
  if (canDecide(results) || (link.kind === "decide" && intent === "sign")) return undefined;
  return link.kind === "read" || !signed
    ? rejectionOf({ outcome: "reading copy" })
    : rejectionOf({ outcome: "signed", signature: signed });
}

/** @returns where to go on, or why nothing was stored */
async function decide(posted: Posted, services: Services): Promise<string | Rejected> {
  const { token, typed, results, learner, links } = posted;
  const submission = results.submissions[learner];
  if (!submission) return rejectionOf({ outcome: "no learner" });
  if (typed.intent === "rest") {
    const seen = readRest(typed);
    if (!seen) return incomplete;
    const numbers = submission.questionMarks.map(({ questionNumber }) => questionNumber);
    if (!seen.every(({ questionNumber }) => numbers.includes(questionNumber))) {
      return rejectionOf({ outcome: "no question" });
    }
    const outcome = await services.agreeWithRest(token, { learner, seen });
    return outcome.outcome === "stored" ? links.learner(learner) : rejectionOf(outcome);
  }
  if (typed.intent !== "agree" && typed.intent !== "save") return incomplete;
  const question = submission.questionMarks.findIndex(
    ({ questionNumber }) => questionNumber === typed.question,
  );
  if (question === -1) return rejectionOf({ outcome: "no question" });
  const decision = readDecision(typed, learner, submission.questionMarks[question]!);
  if ("error" in decision) return { status: 422, ...decision };
  const outcome = await services.decideMark(token, decision);
  if (outcome.outcome !== "stored") return rejectionOf(outcome);
  return posted.looks ? await nextToLookAt(posted, services) : links.question(learner, question);
}

/** After a decision: the next mark to look at first, then the class. */
async function nextToLookAt({ token, learner, links }: Posted, services: Services) {
  const results = await services.findResults(token);
  return links.afterLook(results?.submissions ?? [], learner);
}

async function sign(posted: Posted, services: Services): Promise<string | Rejected> {
  const { token, typed, results, links } = posted;
  const by = readName(typed.name ?? "");
  if (typeof by !== "string") return { status: 422, ...by };
  if (!/^\d{1,15}$/.test(typed.seen ?? "")) return incomplete;
  const learners = [...results.submissions.keys()];
  const confirmedNoughts = learners.filter((index) => typed[noughtField(index)] !== undefined);
  const lastDecisionId = Number(typed.seen);
  const outcome = await services.signResults(token, { by, lastDecisionId, confirmedNoughts });
  return outcome.outcome === "stored" ? `${links.classPage}#signed` : rejectionOf(outcome);
}

const incomplete: Rejected = {
  status: 400,
  error: "The form was incomplete, and nothing was stored. Please fill it in on this page again.",
};

function rejectionOf(outcome: Exclude<DecisionRejection | SigningOutcome, { outcome: "stored" }>) {
  return { ...rejections[outcome.outcome](outcome as never), ...currentOf(outcome) };
}

const currentOf = (outcome: DecisionRejection | SigningOutcome) =>
  outcome.outcome === "conflict" ? { current: outcome.mark } : {};

type Rejection = Exclude<DecisionRejection | SigningOutcome, { outcome: "stored" }>;

const rejections: {
  [Name in Rejection["outcome"]]: (outcome: Extract<Rejection, { outcome: Name }>) => Rejected;
} = {
  "no link": () => ({
    status: 404,
    error: "This link opens no results any more. What you sent was not stored.",
  }),
  "reading copy": () => ({
    status: 403,
    error: "This is a reading copy: nothing can be decided here, and nothing was stored.",
  }),
  signed: ({ signature }) => ({
    status: 409,
    error: `${signature.by} has signed these marks, so nothing was stored. Ask our team to reopen them.`,
  }),
  "no learner": () => ({ status: 404, error: "There is no such learner. Nothing was stored." }),
  "no question": () => ({ status: 404, error: "There is no such question. Nothing was stored." }),
  "too many": ({ totalMarks }) => ({
    status: 422,
    error: `This question has ${totalMarks} marks. Nothing was stored.`,
  }),
  conflict: () => ({
    status: 409,
    error: "This mark has changed since the page was opened. Nothing of yours was stored yet.",
  }),
  undecided: () => ({
    status: 409,
    error: "Some marks are not decided yet, so the class is not signed.",
  }),
  "decided since": () => ({
    status: 409,
    error: "A mark was decided since this page was opened. Look at the figures again, then sign.",
  }),
};
