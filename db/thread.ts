import path from "node:path";
import { Worker } from "node:worker_threads";

/** The database's worker threads, with their sources. Each is an entry of the build. */
export const threads = {
  "writer-thread": "db/sqlite/writer-thread.ts",
  "backup-thread": "db/sqlite/backup-thread.ts",
  "postgres-thread": "db/postgres/postgres-thread.ts",
};

/**
 * Starts one of the database's threads, each with its own connections. They are built next to this file: as .js by the
 * build, as .cjs in the executable. In development this file is not built, and scripts/dev.ts builds the threads.
 */
export function startThread(name: keyof typeof threads, workerData: unknown): Worker {
  const { dir, ext } = path.parse(import.meta.filename);
  const isSource = ext === ".ts";
  const folder = isSource ? path.join(dir, "../build/dev-threads") : dir;
  return new Worker(path.join(folder, name + (isSource ? ".js" : ext)), { workerData });
}
