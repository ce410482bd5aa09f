import { routeContext } from "../context.ts";
import { idIn } from "../domain/row-id.ts";
import type { Route } from "./+types/marking-original";
import { fileResponse } from "./form-route.ts";

/** GET /api/marking/TOKEN/originals/FILE: a file as it was sent, to download. */
export async function loader({ params: { token, file }, request, context }: Route.LoaderArgs) {
  const { desk } = context.get(routeContext);
  const fileId = idIn(file);
  const isRead = request.method !== "HEAD";
  return fileResponse(fileId === undefined ? null : await desk.openOriginal(token, fileId, isRead));
}
