import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "#db/make-folder.ts";
import type { Store } from "#db/store.ts";
import { parseReference } from "#server/reference.ts";
import type { Log } from "../log.ts";
import { type Loop, startLoop } from "../loop.ts";
import { writeFiles } from "../request-files.ts";

/** Commands release and delete requests without calling `wake`, so the job looks at least this often. */
const intervalMs = 60_000;

/**
 * Keeps a folder for each request with files, named by its reference, so that the team needs no account on
 * the server. A folder is complete once it has its name, is made again if it is missing, and is deleted with
 * its request. Requests in quarantine have none. To be woken when a request has been stored.
 */
export function startDropFolderJob(
  folder: string,
  store: Pick<Store, "listRequestsWithFiles" | "listFiles" | "readFile">,
  log: Log,
): Loop {
  let lastError: string | undefined;
  return startLoop(async (closing) => {
    try {
      await update(folder, store, closing);
      if (lastError) log.info("the drop folder is up to date again");
      lastError = undefined;
    } catch (error) {
      const { message } = error as Error;
      // Once, and not every minute.
      if (message !== lastError) log.error("the drop folder cannot be updated; retrying", error);
      lastError = message;
    }
    return intervalMs;
  });
}

/** Writes the folders that are missing, and deletes those of requests that no longer exist. */
async function update(
  folder: string,
  store: Parameters<typeof startDropFolderJob>[1],
  closing: AbortSignal,
): Promise<void> {
  const present = new Set(readdirSync(folder).filter(isOurs));
  const wanted = await store.listRequestsWithFiles();
  for (const reference of wanted) {
    if (closing.aborted) return;
    if (!present.delete(reference)) await writeFolder(folder, reference, store);
  }
  for (const name of present) rmSync(path.join(folder, name), { recursive: true, force: true });
}

const unfinished = ".unfinished";

/** Whether a name is one that the job has given; other files in the folder stay. */
function isOurs(name: string): boolean {
  const reference = name.endsWith(unfinished) ? name.slice(1, -unfinished.length) : name;
  return parseReference(reference) === reference;
}

async function writeFolder(
  folder: string,
  reference: string,
  store: Pick<Store, "listFiles" | "readFile">,
): Promise<void> {
  const partial = path.join(folder, `.${reference}${unfinished}`);
  rmSync(partial, { recursive: true, force: true });
  makeFolder(partial);
  // The group may read, whatever the umask: the folder's owner decides which group that is.
  for await (const file of writeFiles(store, reference, partial)) chmodSync(file.path, 0o640);
  chmodSync(partial, 0o750);
  renameSync(partial, path.join(folder, reference));
}
