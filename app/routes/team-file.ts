import { routeContext } from "../context.ts";
import { idIn } from "../domain/row-id.ts";
import type { Route } from "./+types/team-file";
import { fileResponse } from "./form-route.ts";

/** GET /api/team/TOKEN/files/FILE: a file of the request as it was sent, to download. */
export async function loader({ params: { token, file }, context }: Route.LoaderArgs) {
  const { team } = context.get(routeContext);
  const fileId = idIn(file);
  return fileResponse(fileId === undefined ? null : await team.openFile(token, fileId));
}
