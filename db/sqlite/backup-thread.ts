/** Makes one backup on its own thread and connection, so that neither pages nor the writer wait. */
import { parentPort, workerData } from "node:worker_threads";
import { sendable } from "../errors.ts";
import { makeBackup } from "./backup-file.ts";

const port = parentPort!;

makeBackup(workerData.databaseFile, workerData.backupFile).then(
  (content) => port.postMessage({ content }),
  (error) => port.postMessage({ error: sendable(error) }),
);
