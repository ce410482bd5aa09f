import { ReadableStream } from "node:stream/web";
import { type Download, routeContext, type TeamServices } from "../context.ts";
import { readClass, rendering } from "../rendering.ts";
import type { Route } from "./+types/team-archive";
import {
  busyResponse,
  csvResponse,
  downloadResponse,
  fileResponse,
  marksOptions,
} from "./form-route.ts";

/**
 * GET /api/team/TOKEN/FILE. FILE is files.zip (all files of the request), scripts.zip (the marked scripts), sheets.pdf
 * (the cover sheets), or the name of a CSV file: `sheet`, to fill in with proposals, or a file of marks.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { archive, token } = params;
  const { team } = context.get(routeContext);
  // HEAD exports nothing: with an aborted signal, no semaphore stays acquired, and no email is sent.
  const signal = request.method === "HEAD" ? AbortSignal.abort() : request.signal;
  if (/^[a-z]+$/.test(archive)) {
    const options = { ...marksOptions(request.url), signal };
    const open = () => team.openMarks(token, archive, options);
    return csvResponse(await readClass(context, open, await team.countMarks(token)));
  }
  // A slow client or child process must not keep a turn that pages wait for.
  context.get(rendering).turns?.end();
  try {
    return await archiveResponse(team, params, signal);
  } catch (error) {
    return busyResponse(error);
  }
}

async function archiveResponse(
  team: TeamServices,
  { token, archive }: Route.LoaderArgs["params"],
  signal: AbortSignal,
) {
  switch (archive) {
    case "sheets.pdf":
      return fileResponse(await team.openSheets(token, signal));
    case "files.zip":
      return streamResponse(await team.openArchive(token, signal));
    case "scripts.zip":
      return streamResponse(await team.openScripts(token, signal));
    default:
      return downloadResponse(null);
  }
}

/** Node's types of its ReadableStream differ from those of the DOM, which Response takes, so they are cast. */
const streamResponse = (found: Download<AsyncIterable<Uint8Array>> | null) =>
  downloadResponse(
    found && { ...found, bytes: ReadableStream.from(found.bytes) as unknown as BodyInit },
  );
