import { routeContext } from "../context.ts";
import { idIn } from "../domain/row-id.ts";
import type { Route } from "./+types/marking-original";
import { fileResponse, isRead } from "./form-route.ts";

/** GET /api/marking/TOKEN/originals/FILE: a file as it was sent, to download. */
export async function loader(args: Route.LoaderArgs) {
  const { token, file } = args.params;
  const { desk } = args.context.get(routeContext);
  const fileId = idIn(file);
  if (fileId === undefined) return fileResponse(null);
  return fileResponse(await desk.openOriginal(token, fileId, isRead(args)));
}
