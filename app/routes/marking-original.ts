import { routeContext } from "../context.ts";
import type { Route } from "./+types/marking-original";
import { privateHeaders } from "./form-route.ts";

/** GET /api/marking/TOKEN/originals/FILE: a file as it was sent, to download. */
export async function loader({ params: { token, file }, context }: Route.LoaderArgs) {
  const { desk } = context.get(routeContext);
  const found = /^\d{1,9}$/.test(file) ? await desk.openOriginal(token, +file) : null;
  if (!found) {
    const text = "This link does not open this file.\n";
    return new Response(text, { status: 404, headers: privateHeaders });
  }
  return new Response(new Uint8Array(found.bytes), {
    headers: {
      ...privateHeaders,
      "Content-Type": found.mediaType,
      "Content-Disposition": found.disposition,
    },
  });
}
