import { erase, referencesBefore } from "#db/operations/erasure.ts";
import type { Db } from "#db/sqlite/open.ts";
import { clearTraces, tracesOf } from "#db/sqlite/traces.ts";
import { confirm, counted } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { print, printJson } from "./print.ts";
import { requestOf } from "./requests-show.ts";

export interface PurgeOptions {
  olderThan?: string;
  yes?: true;
  json?: true;
}

/** Deletes requests with their files, letters and assessments for good, and prints their references. */
export async function requestsPurge(db: Db, typed: string[], options: PurgeOptions): Promise<void> {
  const references = await chosen(db, typed, options.olderThan);
  if (references.length > 0) {
    const what = `${counted(references.length, "request")} with all files and letters will be deleted for good.`;
    await confirm(what, options.yes);
  }
  const traces = tracesOf(db, references);
  const deleted =
    references.length > 0 && (await erase(db, { references }, "requests purged", new Date()));
  await clearTraces(db, traces);
  if (options.json) printJson({ purged: references, ...deleted });
  else for (const reference of references) print(reference);
  process.stderr.write(
    references.length > 0
      ? `${counted(references.length, "request")} deleted. Backups still hold what was in them.\n`
      : "No request is that old; nothing was deleted.\n",
  );
}

async function chosen(db: Db, typed: string[], days: string | undefined): Promise<string[]> {
  if (typed.length > 0 === (days !== undefined)) {
    throw new CommandFailed("Give references, or --older-than DAYS.", exitCodes.usage);
  }
  if (days === undefined) {
    const records = await Promise.all(typed.map((one) => requestOf(db, one)));
    return [...new Set(records.map(({ request }) => request.reference))];
  }
  if (!/^\d{1,5}$/.test(days)) {
    throw new CommandFailed("--older-than takes a whole number of days.", exitCodes.usage);
  }
  return referencesBefore(db, new Date(Date.now() - Number(days) * 86_400_000));
}
