import { rubricRequestMessages } from "../../forms/rubric-request.ts";
import { services } from "../../services.ts";
import type { Route } from "./+types/rubric-request";
import { answer, stepOrPostOnly } from "./answer.ts";

/** POST /api/rubric-regeneration: multipart/form-data in, `{message, id, reference}` or `{error, code, fields}` out. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).submit("rubric-request", request, "call");
  return answer(outcome, rubricRequestMessages.received);
}

export const loader = ({ request, context }: Route.LoaderArgs) =>
  stepOrPostOnly(request, context.get(services).findStep);
