import { routeContext } from "../context.ts";
import type { Route } from "./+types/team-file";
import { downloadResponse } from "./form-route.ts";

/** GET /api/team/TOKEN/files/FILE: a file of the request as it was sent, to download. */
export async function loader({ params: { token, file }, context }: Route.LoaderArgs) {
  const { team } = context.get(routeContext);
  const found = /^\d{1,9}$/.test(file) ? await team.openFile(token, +file) : null;
  return downloadResponse(found && { ...found, bytes: new Uint8Array(found.bytes) });
}
