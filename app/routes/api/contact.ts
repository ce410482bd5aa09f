import { contactMessages } from "../../forms/contact.ts";
import { services } from "../../services.ts";
import type { Route } from "./+types/contact";
import { answer, postOnly } from "./answer.ts";

/** POST /api/contact: JSON in, `{message, id, reference}` or `{error, code, fields}` out. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).submit("contact", request, "call");
  return answer(outcome, contactMessages.received);
}

export const loader = postOnly;
