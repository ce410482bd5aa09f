import { services } from "../../services.ts";
import type { Route } from "./+types/demo-upload";
import { answer } from "./answer.ts";

/** POST /api/demo-request-with-files: multipart/form-data in, `{message, id, reference}` or `{error, code, fields}` out. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).demoUpload.submit(request, "call");
  return answer(outcome, "Thank you. We have your files and will reply within 24 hours.");
}

/** GET with `?upload=ID`: how far the upload is that was posted with this id, `{step}`; null when it has ended. */
export function loader({ request, context }: Route.LoaderArgs) {
  const uploadId = new URL(request.url).searchParams.get("upload");
  if (uploadId) {
    const step = context.get(services).demoUpload.findStep(uploadId) ?? null;
    return Response.json({ step }, { headers: { "Cache-Control": "no-store" } });
  }
  return Response.json(
    { error: "Please send a POST request.", code: "method_not_allowed", fields: {} },
    { status: 405, headers: { Allow: "POST" } },
  );
}
