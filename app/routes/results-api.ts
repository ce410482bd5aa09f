import { routeContext } from "../context.ts";
import { readClass } from "../rendering.ts";
import type { Route } from "./+types/results-api";
import { isRead, privateHeaders } from "./form-route.ts";

/** GET /api/results/TOKEN: the marks behind a private link, or the sample's; 401 if the token opens none. */
export async function loader(args: Route.LoaderArgs) {
  const { params, context } = args;
  const { desk, findResults } = context.get(routeContext);
  const find = () => findResults(params.token, isRead(args));
  const status = await desk.findResultsStatus(params.token);
  const results = await readClass(context, find, status?.markCount);
  // The sample is public and may be cached.
  if (results?.sampleFiles) return Response.json(results);
  if (results) return Response.json(results, { headers: privateHeaders });
  return Response.json(
    { error: "This link does not open any results.", code: "no_results", fields: {} },
    { status: 401, headers: privateHeaders },
  );
}
