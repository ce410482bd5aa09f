import { routeContext } from "../context.ts";
import { rendering } from "../rendering.ts";
import type { Route } from "./+types/results-api";
import { privateHeaders } from "./form-route.ts";

/** GET /api/results/TOKEN: the marks behind a private link, or the sample's; 401 if the token opens none. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  await context.get(rendering).turns?.takeToRead();
  const results = await context
    .get(routeContext)
    .findResults(params.token, request.method !== "HEAD");
  // The sample is public and may be cached.
  if (results?.sampleFiles) return Response.json(results);
  if (results) return Response.json(results, { headers: privateHeaders });
  return Response.json(
    { error: "This link does not open any results.", code: "no_results", fields: {} },
    { status: 401, headers: privateHeaders },
  );
}
