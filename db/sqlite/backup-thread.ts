/** Makes one backup on its own thread and connection, so that neither pages nor the writer wait. */
import { parentPort, workerData } from "node:worker_threads";
import { sendable } from "../errors.ts";
import { makeBackup } from "./backup-file.ts";

const port = parentPort!;

try {
  port.postMessage({ content: makeBackup(workerData.databaseFile, workerData.backupFile) });
} catch (error) {
  port.postMessage({ error: sendable(error) });
}
