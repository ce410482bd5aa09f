import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { makeFolder } from "#db/engine.ts";
import type { Store } from "#db/store.ts";
import { parseReference } from "#server/requests/reference.ts";
import { counted } from "../../domain/counted.ts";
import type { Log } from "../log.ts";
import { writeFiles } from "../requests/request-files.ts";
import { leaseFor } from "./lease.ts";
import { type Loop, startLoop } from "./loop.ts";

/** Commands release and delete requests without calling `wake`, so the job looks at least this often. */
const intervalMs = 60_000;

/**
 * Keeps a folder for each request with files, named by its reference, so that the team needs no account on the server.
 * A folder gets its name when it is complete. It is made again if it is missing, and after a scan was cut or a learner
 * was erased. It is deleted with its request. Requests in quarantine have no folder. Wake the job when a request is
 * stored.
 *
 * Folders of unknown requests stay: the database may be a restored backup, and the folders may be another
 * installation's or the team's own.
 */
export function startDropFolderJob(
  folder: string,
  store: DropFolderStore,
  log: Log,
): DropFolderJob {
  const reported = new Set<string>();
  // Servers may share the folder, and use the same names in it.
  const underLease = leaseFor(store, "drop folder");
  let lastError: NodeJS.ErrnoException | undefined;
  const loop = startLoop(async (closing) => {
    try {
      // An update without anything to write would not notice a read-only folder.
      accessSync(folder, constants.W_OK | constants.X_OK);
      const update = (mayContinue: () => Promise<boolean>) =>
        updateFolders(folder, store, mayContinue);
      const found = await underLease(closing, update);
      if (!found) return intervalMs;
      const unknown = found.filter((name) => !reported.has(name));
      if (unknown.length > 0) log.warn(unknownFolders(unknown));
      for (const name of unknown) reported.add(name);
      if (lastError) log.info("the drop folder is up to date again");
      lastError = undefined;
    } catch (thrown) {
      const error = thrown as NodeJS.ErrnoException;
      // A lasting error is logged once, not every minute.
      if (error.message !== lastError?.message) {
        // A path may contain the name of a visitor's file.
        const cause = error.path === undefined ? error : error.code;
        log.error("the drop folder cannot be updated; retrying", cause);
      }
      lastError = error;
    }
    return intervalMs;
  });
  return { ...loop, problem: () => lastError && (lastError.code ?? lastError.message) };
}

export interface DropFolderJob extends Loop {
  /** Why the last update failed; undefined if it did not. Names no file. */
  problem(): string | undefined;
}

type DropFolderStore = Pick<
  Store,
  | "takeLease"
  | "listRequestsWithFiles"
  | "listFiles"
  | "readFile"
  | "findDeleted"
  | "listFileChanges"
>;

/**
 * Writes the folders that are missing or older than a change of their files, and deletes those of deleted requests.
 * Stops early if `mayContinue` returns false.
 * @returns the names of folders whose request is not known
 */
async function updateFolders(
  folder: string,
  store: DropFolderStore,
  mayContinue: () => Promise<boolean>,
): Promise<string[]> {
  const existing = readdirSync(folder).flatMap((name) => {
    const reference = referenceOf(name);
    return reference === undefined ? [] : [{ name, reference }];
  });
  const existingNames = new Set(existing.map(({ name }) => name));
  const wanted = new Set(await store.listRequestsWithFiles());
  const changes = Map.groupBy(await store.listFileChanges(), ({ reference }) => reference);
  for (const reference of wanted) {
    const changeFiles = (changes.get(reference) ?? []).map(changeFileName);
    const isWritten = (name: string) => existsSync(path.join(folder, reference, name));
    if (existingNames.has(reference) && changeFiles.every(isWritten)) continue;
    if (!(await mayContinue())) return [];
    await writeFolder(store, { folder, reference, changeFiles });
  }
  const others = existing.filter(({ reference }) => !wanted.has(reference));
  if (others.length === 0) return [];
  const deleted = new Set(await store.findDeleted(others.map(({ reference }) => reference)));
  for (const { name, reference } of others) {
    if (deleted.has(reference)) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
  return others.filter(({ reference }) => !deleted.has(reference)).map(({ name }) => name);
}

function unknownFolders(names: string[]): string {
  const listed = names.slice(0, 5).join(", ") + (names.length > 5 ? " …" : "");
  return `the drop folder has ${counted(names.length, "folder")} whose request this database does not have: ${listed}; left as found, delete what is not needed`;
}

/**
 * Returns the name of an empty file that marks a folder as written after a change. The name has the change's time,
 * because a restored database gives the same id to another change.
 */
const changeFileName = ({ id, createdAt }: { id: number; createdAt: string }) =>
  `.changed-${id}-${Date.parse(createdAt)}`;

const unfinished = ".unfinished";

/** Returns the reference in the name of a folder that the job may have made; undefined for other names. */
function referenceOf(name: string): string | undefined {
  const reference = name.endsWith(unfinished) ? name.slice(1, -unfinished.length) : name;
  return parseReference(reference) === reference ? reference : undefined;
}

async function writeFolder(
  store: Pick<Store, "listFiles" | "readFile">,
  { folder, reference, changeFiles }: { folder: string; reference: string; changeFiles: string[] },
): Promise<void> {
  const partial = path.join(folder, `.${reference}${unfinished}`);
  rmSync(partial, { recursive: true, force: true });
  makeFolder(partial);
  // Let the group read, whatever the umask. If the drop folder has the set-group-ID bit, its group is the files' group.
  const files = await store.listFiles(reference);
  for await (const file of writeFiles(store, files, partial)) chmodSync(file.path, 0o640);
  for (const name of changeFiles) writeFileSync(path.join(partial, name), "", { mode: 0o640 });
  chmodSync(partial, 0o750);
  const complete = path.join(folder, reference);
  rmSync(complete, { recursive: true, force: true });
  renameSync(partial, complete);
}
