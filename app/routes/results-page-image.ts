import { routeContext } from "../context.ts";
import type { Route } from "./+types/results-page-image";
import { privateHeaders } from "./form-route.ts";

/** GET /api/results/TOKEN/pages/FILE/PAGE: the picture of a page of a learner's script. */
export async function loader({ params: { token, file, page }, context }: Route.LoaderArgs) {
  const isThere = [file, page].every((number) => /^\d{1,9}$/.test(number));
  const { desk } = context.get(routeContext);
  const found = isThere && (await desk.findScriptPage(token, { fileId: +file, page: +page }));
  if (!found) {
    const text = "This link does not open this page.\n";
    return new Response(text, { status: 404, headers: privateHeaders });
  }
  return new Response(new Uint8Array(found), {
    headers: { ...privateHeaders, "Content-Type": "image/webp" },
  });
}
