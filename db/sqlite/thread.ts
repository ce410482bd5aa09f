import path from "node:path";
import { Worker } from "node:worker_threads";
import { addonFile } from "./addon.ts";

/** The database's worker threads. Each is an entry of the build, named after its file here. */
export const threadNames = ["writer-thread", "backup-thread"] as const;

/**
 * Starts one of the database's threads, each with its own connection. They are built next to this
 * file: as .js by the build, as .cjs in the executable. In development this file is not built, and
 * scripts/dev.ts builds the threads.
 */
export function startThread(
  name: (typeof threadNames)[number],
  data: { databaseFile: string; [more: string]: unknown },
): Worker {
  const { dir, ext } = path.parse(import.meta.filename);
  const isSource = ext === ".ts";
  const folder = isSource ? path.join(dir, "../../build/dev-threads") : dir;
  return new Worker(path.join(folder, name + (isSource ? ".js" : ext)), {
    workerData: { ...data, addonFile: addonFile(data.databaseFile) },
  });
}
