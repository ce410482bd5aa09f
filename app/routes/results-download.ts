import { routeContext } from "../context.ts";
import { rendering } from "../rendering.ts";
import type { Route } from "./+types/results-download";
import { downloadResponse, marksOptions } from "./form-route.ts";

/** GET /api/results/TOKEN/FILE: the marks behind a private link as a CSV file. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { token, file } = params;
  await context.get(rendering).turns?.takeToRead();
  const found = await context
    .get(routeContext)
    .findDownload(token, file, marksOptions(request.url));
  const mediaType = "text/csv; charset=utf-8";
  return downloadResponse(found && { ...found, mediaType, bytes: found.text });
}
