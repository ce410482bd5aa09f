/** Responds to posts of the form that signs results: by a redirect or the page again. */
import type { RouteContext } from "../context.ts";
import { idIn } from "../domain/row-id.ts";
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

type Services = Pick<RouteContext, "readTexts" | "desk" | "signResults">;

export function resultsAction({ searchParams: query }: URL, services: Services) {
  const token = query.get("results") ?? "";
  return respondToPrivatePost(services.readTexts, async (typed) => {
    const kind = await services.desk.findLinkKind(token);
    if (kind === "read") return rejectionOf({ outcome: "reading copy" });
    if (kind !== "decide") return rejectionOf({ outcome: "no link" });
    return typed.intent === "sign" ? await sign(token, typed, services) : incomplete;
  });
}

async function sign(
  token: string,
  typed: Typed,
  { signResults }: Services,
): Promise<string | Rejected> {
  const by = readName(typed.name ?? "");
  if (typeof by !== "string") return { status: 422, ...by };
  const lastDecisionId = idIn(typed.seen);
  if (lastDecisionId === undefined) return incomplete;
  const outcome = await signResults(token, {
    by,
    lastDecisionId,
    confirmedNoughts: readNoughts(typed),
    acceptedDifferences: Number(typed[differencesField]) || 0,
  });
  return outcome.outcome === "stored" ? `${linksOf(token).classPage}#signed` : rejectionOf(outcome);
}
