import { releaseFromSpam } from "#db/operations/quarantine.ts";
import type { Db } from "#db/sqlite/open.ts";
import { CommandFailed } from "./exit.ts";
import { printJson } from "./print.ts";
import { requestOf } from "./requests-show.ts";

/** Takes a request out of quarantine; the running server sends its letter within a minute. */
export async function requestsNotSpam(
  db: Db,
  typed: string,
  { json }: { json?: true },
): Promise<void> {
  const { request } = await requestOf(db, typed);
  if (!(await releaseFromSpam(db, request.reference, new Date()))) {
    throw new CommandFailed(`Request ${request.reference} is not in quarantine.`);
  }
  if (json) printJson({ released: request.reference });
  process.stderr.write(
    `Request ${request.reference} is out of quarantine; its letter goes out within a minute while the server runs.\n`,
  );
}
