import { demoUploadMessages } from "../../forms/demo-upload.ts";
import { services } from "../../services.ts";
import type { Route } from "./+types/demo-upload";
import { answer, stepOrPostOnly } from "./answer.ts";

/** POST /api/demo-request-with-files: multipart/form-data in, `{message, id, reference}` or `{error, code, fields}` out. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).submit("demo-upload", request, "call");
  return answer(outcome, demoUploadMessages.received);
}

export const loader = ({ request, context }: Route.LoaderArgs) =>
  stepOrPostOnly(request, context.get(services).findStep);
