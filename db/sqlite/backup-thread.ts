/** Makes one backup in a thread of its own, with a connection of its own: neither pages nor the writer wait for it. */
import { parentPort, workerData } from "node:worker_threads";
import { sendable } from "../errors.ts";
import { makeBackup } from "./backup-file.ts";

const port = parentPort!;

makeBackup(workerData.databaseFile, workerData.backupFile).then(
  (content) => port.postMessage({ content }),
  (error) => port.postMessage({ error: sendable(error) }),
);
