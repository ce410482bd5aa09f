import { routeContext } from "../context.ts";
import { readClass } from "../rendering.ts";
import type { Route } from "./+types/results-download";
import { csvResponse, isRead, marksOptions } from "./form-route.ts";

/** GET /api/results/TOKEN/FILE: the marks behind a private link, or the sample's, as a CSV file. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { token, file } = params;
  const { desk, findDownload } = context.get(routeContext);
  const options = { ...marksOptions(request.url), isRead: isRead({ request }) };
  const find = () => findDownload(token, file, options);
  const status = await desk.findResultsStatus(token);
  return csvResponse(await readClass(context, find, status?.markCount));
}
