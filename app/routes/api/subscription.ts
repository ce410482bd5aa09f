import { subscriptionMessages } from "../../forms/subscription.ts";
import { services } from "../../services.ts";
import type { Route } from "./+types/subscription";
import { answer, postOnly } from "./answer.ts";

/** POST /api/subscription: JSON in, `{message, id, reference}` or `{error, code, fields}` out. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).submit("subscription", request, "call");
  return answer(outcome, subscriptionMessages.received);
}

export const loader = postOnly;
