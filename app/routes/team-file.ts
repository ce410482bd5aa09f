import { routeContext } from "../context.ts";
import { idIn } from "../domain/row-id.ts";
import type { Route } from "./+types/team-file";
import { downloadResponse } from "./form-route.ts";

/** GET /api/team/TOKEN/files/FILE: a file of the request as it was sent, to download. */
export async function loader({ params: { token, file }, context }: Route.LoaderArgs) {
  const { team } = context.get(routeContext);
  const fileId = idIn(file);
  const found = fileId === undefined ? null : await team.openFile(token, fileId);
  return downloadResponse(found && { ...found, bytes: new Uint8Array(found.bytes) });
}
