import { routeContext } from "../context.ts";
import { rendering } from "../rendering.ts";
import type { Route } from "./+types/results-download";
import { marksOptions, privateHeaders } from "./form-route.ts";

/** GET /api/results/TOKEN/FILE: the marks behind a private link as a CSV file. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { token, file } = params;
  await context.get(rendering).turns?.takeToRead();
  const found = await context
    .get(routeContext)
    .findDownload(token, file, marksOptions(request.url));
  if (!found) {
    const text = "This link does not open any file. Please ask us for a new link.\n";
    return new Response(text, { status: 404, headers: privateHeaders });
  }
  return new Response(found.text, {
    headers: {
      ...privateHeaders,
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": found.disposition,
    },
  });
}
