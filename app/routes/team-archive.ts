import { ReadableStream } from "node:stream/web";
import { routeContext, type TeamServices } from "../context.ts";
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
 * GET /api/team/TOKEN/FILE. FILE is files.zip for all files of the request, scripts.zip for the marked scripts, or
 * sheets.pdf for the cover sheets. A name without a dot is a CSV file: the marks, for the gradebook that it names,
 * or `sheet`, to fill in with proposals.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { archive, token } = params;
  const { team } = context.get(routeContext);
  // The body of a response to HEAD is never read. An aborted signal keeps no place for it and sends no email.
  const signal = request.method === "HEAD" ? AbortSignal.abort() : request.signal;
  if (/^[a-z]+$/.test(archive)) {
    const options = { ...marksOptions(request.url), signal };
    const open = () => team.openMarks(token, archive, options);
    return csvResponse(await readClass(context, open, await team.countMarks(token)));
  }
  // A slow client, or child process, must not keep a turn that pages wait for.
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
  if (archive === "sheets.pdf") return fileResponse(await team.openSheets(token, signal));
  const open = new Map([
    ["files.zip", team.openArchive],
    ["scripts.zip", team.openScripts],
  ]).get(archive);
  const found = open ? await open(token, signal) : null;
  // Node's types of its ReadableStream differ from those of the DOM, which Response takes.
  return downloadResponse(
    found && { ...found, bytes: ReadableStream.from(found.bytes) as unknown as BodyInit },
  );
}
