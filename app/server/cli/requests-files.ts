import type { Db } from "#db/sqlite/open.ts";
import { print, printJson } from "./print.ts";
import { requestOf } from "./requests-show.ts";
import { writeFiles } from "./write-files.ts";

/** Writes the files byte for byte as they were sent, and prints the path of each. */
export async function requestsFiles(
  db: Db,
  reference: string,
  { out, json }: { out: string; json?: true },
): Promise<void> {
  const { request } = await requestOf(db, reference);
  const written: string[] = [];
  for await (const { path } of writeFiles(db, request.reference, out)) {
    if (!json) print(path);
    written.push(path);
  }
  if (json) printJson(written);
}
