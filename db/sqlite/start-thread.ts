import type { Worker } from "node:worker_threads";
import { startThread } from "../thread.ts";
import { addonFile } from "./addon.ts";

/** Starts a thread on a database file, with the addon that this thread has loaded. */
export const startSqliteThread = (
  name: "writer-thread" | "backup-thread",
  data: { databaseFile: string; [more: string]: unknown },
): Worker => startThread(name, { ...data, addonFile: addonFile(data.databaseFile) });
