import { routeContext } from "../context.ts";
import type { Route } from "./+types/marking-page";
import { pageImageResponse } from "./form-route.ts";

/** GET /api/marking/TOKEN/pages/FILE/PAGE: the picture of a page. */
export function loader({ params, context }: Route.LoaderArgs) {
  const { desk } = context.get(routeContext);
  return pageImageResponse(params, (page) => desk.findPage(params.token, page));
}
