/** Responds to posts to results, of the form that signs: by a redirect or the page again. */
import { data } from "react-router";
import type { RouteContext } from "../context.ts";
import { sampleToken } from "../domain/result.ts";
import { idIn } from "../domain/row-id.ts";
import { differencesField, readNoughts } from "../results/decision-form.ts";
import { readName } from "../results/typed-decision.ts";
import { linksOf } from "../ui/results/results-urls.ts";
import { privateHeaders } from "./form-route.ts";
import {
  incomplete,
  ofSample,
  type Rejected,
  rejectionOf,
  respondToPrivatePost,
  type Typed,
} from "./private-post.ts";

type Services = Pick<RouteContext, "readTexts" | "desk" | "signResults">;

export function resultsAction({ searchParams: query }: URL, services: Services) {
  const token = query.get("results") ?? "";
  return respondToPrivatePost(services.readTexts, async (typed) => {
    if (token === sampleToken) return ofSample;
    const kind = await services.desk.findLinkKind(token);
    // Reading copies are passed on freely, so a post under one is rejected without reading the class.
    if (kind === "read") {
      const { status, error } = rejectionOf({ outcome: "reading copy" });
      throw data({ error }, { status, headers: privateHeaders });
    }
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
