import { routeContext } from "../context.ts";
import type { Route } from "./+types/openapi";

/** GET /api/openapi.json: the endpoints, for programs. */
export const loader = ({ context }: Route.LoaderArgs) =>
  Response.json(context.get(routeContext).describeApi(), {
    headers: { "Cache-Control": "public, max-age=3600" },
  });
