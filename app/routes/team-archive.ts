import { ReadableStream } from "node:stream/web";
import { routeContext } from "../context.ts";
import { rendering } from "../rendering.ts";
import type { Route } from "./+types/team-archive";
import { downloadResponse } from "./form-route.ts";

/** GET /api/team/TOKEN/files.zip: all files of the request in one archive. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  if (params.archive !== "files.zip") return downloadResponse(null);
  // A slow client must not keep a turn that pages wait for.
  context.get(rendering).turns?.end();
  const found = await context.get(routeContext).team.openArchive(params.token, request.signal);
  return downloadResponse(
    found && { ...found, bytes: ReadableStream.from(found.bytes) as unknown as BodyInit },
  );
}
