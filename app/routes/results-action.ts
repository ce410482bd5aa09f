import type { RouteContext } from "../context.ts";
import type { Results } from "../domain/result.ts";
import { differencesField, readNoughts } from "../results/decision-form.ts";
import { readName } from "../results/typed-decision.ts";
import { linksOf } from "../ui/results/results-urls.ts";
import {
  incomplete,
  type Rejected,
  rejectionOf,
  respondToPrivatePost,
  type Typed,
} from "./private-post.ts";

type Services = Pick<RouteContext, "readTexts" | "findResults" | "desk" | "signResults">;

export function resultsAction({ searchParams: query }: URL, services: Services) {
  const token = query.get("results") ?? "";
  return respondToPrivatePost(services.readTexts, async (typed) => {
    const kind = await services.desk.findLinkKind(token);
    if (kind === "read") return rejectionOf({ outcome: "reading copy" });
    if (kind !== "decide") return rejectionOf({ outcome: "no link" });
    if (typed.intent === "sign") return await sign(token, typed, services);
    const results = await services.findResults(token);
    if (!results) return rejectionOf({ outcome: "no link" });
    return rejectOldMark(
      { token, position: Number(query.get("learner")), question: typed.question },
      results,
    );
  });
}

/** Rejects a mark from a page of release 1.0.0, which names a learner by the position in the class. */
function rejectOldMark(
  { token, position, question }: { token: string; position: number; question: string | undefined },
  { submissions, signed }: Results,
): Rejected {
  const links = linksOf(token);
  const submission = submissions[position - 1];
  const deskHref = submission && question ? links.answer(submission, question) : links.desk;
  const name = submission ? `${submission.studentName}: ` : "";
  const error = signed
    ? rejectionOf({ outcome: "signed", signature: signed }).error
    : "Marks are decided on the marking desk now. Nothing was stored: please decide it there.";
  return { status: 410, error: `${name}${error}`, deskHref };
}

async function sign(
  token: string,
  typed: Typed,
  { signResults }: Services,
): Promise<string | Rejected> {
  const by = readName(typed.name ?? "");
  if (typeof by !== "string") return { status: 422, ...by, field: "name" };
  if (typed.seen === undefined) return incomplete;
  const outcome = await signResults(token, {
    by,
    figures: typed.seen,
    confirmedNoughts: readNoughts(typed),
    acceptedDifferences: Number(typed[differencesField]) || 0,
  });
  return outcome.outcome === "stored" ? `${linksOf(token).classPage}#signed` : rejectionOf(outcome);
}
