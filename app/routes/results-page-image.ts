import { routeContext } from "../context.ts";
import type { Route } from "./+types/results-page-image";
import { pageImageResponse } from "./form-route.ts";

/** GET /api/results/TOKEN/pages/FILE/PAGE: the picture of a page of a learner's script. */
export function loader({ params, context }: Route.LoaderArgs) {
  const { desk } = context.get(routeContext);
  return pageImageResponse(params, (page) => desk.findScriptPage(params.token, page));
}
