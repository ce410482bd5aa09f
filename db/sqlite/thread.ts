import path from "node:path";
import { Worker } from "node:worker_threads";
import { addonFile } from "./addon.ts";

/**
 * Starts one of the database's threads, each with its own connection. They are built next to this file: as .js
 * from source, as .cjs in the executable.
 */
export function startThread(
  name: "writer-thread" | "backup-thread" | "checkpoint-thread",
  data: { databaseFile: string; [more: string]: unknown },
): Worker {
  const file = name + path.extname(import.meta.filename);
  return new Worker(path.join(import.meta.dirname, file), {
    workerData: { ...data, addonFile: addonFile(data.databaseFile) },
  });
}
