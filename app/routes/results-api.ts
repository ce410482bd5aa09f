import { routeContext } from "../context.ts";
import type { Route } from "./+types/results-api";
import { privateHeaders } from "./form-route.ts";

/** GET /api/results/TOKEN: the marks behind a private link, or a sample's; 401 where the token opens nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const results = await context.get(routeContext).findResults(params.token);
  // The same for everybody, it may be kept.
  if (results?.sampleFiles) return Response.json(results);
  if (results) return Response.json(results, { headers: privateHeaders });
  return Response.json(
    { error: "This link does not open any results.", code: "no_results", fields: {} },
    { status: 401, headers: privateHeaders },
  );
}
