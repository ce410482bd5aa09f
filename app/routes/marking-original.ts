import { routeContext } from "../context.ts";
import type { Route } from "./+types/marking-original";
import { downloadResponse } from "./form-route.ts";

/** GET /api/marking/TOKEN/originals/FILE: a file as it was sent, to download. */
export async function loader({ params: { token, file }, context }: Route.LoaderArgs) {
  const { desk } = context.get(routeContext);
  const found = /^\d{1,9}$/.test(file) ? await desk.openOriginal(token, +file) : null;
  return downloadResponse(found && { ...found, bytes: new Uint8Array(found.bytes) });
}
