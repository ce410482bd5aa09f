/** Posts to a page of results: decisions, and the signature. Each ends in a redirect, or the page again. */
import type { RouteContext } from "../context.ts";
import { canDecide, type Results } from "../domain/result.ts";
import { linksOf, type ResultsLinks } from "../islands/results/view/results-urls.ts";
import { noughtField, readDecision, readRest } from "../results/decision-form.ts";
import { readName } from "../results/typed-decision.ts";
import {
  incomplete,
  type Rejected,
  rejectionOf,
  respondToPrivatePost,
  type Typed,
} from "./private-post.ts";

type Services = Pick<RouteContext, "readTexts" | "findResults" | "desk" | "signResults">;

interface Posted {
  token: string;
  typed: Typed;
  results: Results;
  /** Position in the class, from 0; -1 if the URL names none. */
  learner: number;
  /** Whether the page leads through the marks to look at first. */
  looks: boolean;
  links: ResultsLinks;
}

export function resultsAction({ searchParams: query }: URL, services: Services) {
  const token = query.get("results")!;
  return respondToPrivatePost(services.readTexts, async (typed) => {
    // Anybody may have it, so its posts read nothing of the class.
    if ((await services.desk.findLinkKind(token)) === "read") {
      return rejectionOf({ outcome: "reading copy" });
    }
    const results = await services.findResults(token);
    if (!results) return rejectionOf({ outcome: "no link" });
    const rejected = whyReadOnly(results, typed.intent);
    if (rejected) return rejected;
    const posted: Posted = {
      token,
      typed,
      results,
      links: linksOf(token),
      looks: query.has("look"),
      learner: Number(query.get("learner")) - 1,
    };
    return await (typed.intent === "sign" ? sign(posted, services) : decide(posted, services));
  });
}

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
    const answer = { learnerId: submission.learnerId!, questionNumber: numbers[0]! };
    const rest = { ...answer, seen, order: "learner" as const };
    const outcome = await services.desk.agreeWithRest(token, rest);
    return outcome.outcome === "stored" ? links.learner(learner) : rejectionOf(outcome);
  }
  if (typed.intent !== "agree" && typed.intent !== "save") return incomplete;
  const question = submission.questionMarks.findIndex(
    ({ questionNumber }) => questionNumber === typed.question,
  );
  if (question === -1) return rejectionOf({ outcome: "no question" });
  const decision = readDecision(typed, submission.questionMarks[question]!.totalMarks);
  if ("error" in decision) return { status: 422, ...decision };
  const { learnerId } = submission;
  const outcome = await services.desk.decideAnswer(token, {
    ...decision,
    learnerId: learnerId!,
    order: "learner",
  });
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
