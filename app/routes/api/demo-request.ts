import { demoRequestMessages } from "../../forms/demo-request.ts";
import { services } from "../../services.ts";
import type { Route } from "./+types/demo-request";
import { answer, postOnly } from "./answer.ts";

/** POST /api/demo-request: JSON in, `{message, id, reference}` or `{error, code, fields}` out. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).submit("demo-request", request, "call");
  return answer(outcome, demoRequestMessages.received);
}

export const loader = postOnly;
