/**
 * Takes a long log over into the file, in a thread of its own with a connection of its own: that waits for
 * the disk twice, and whoever sends something need not wait along. Ends when the log has been short for a while.
 */
import { setTimeout } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { needOfLog, takeOverLog } from "./log.ts";
import { addonFor } from "./open-for-reading.ts";

const pauseMs = 100;
const mostPauses = 50;

const { databaseFile } = workerData;

void work(new Sqlite(databaseFile, { nativeBinding: addonFor(databaseFile) }));

async function work(client: Sqlite.Database): Promise<void> {
  // A connection knows nothing of the log before it has read something.
  client.pragma("user_version");
  let pauses = 0;
  while (pauses < mostPauses) {
    // A backup that is being made keeps the log from being taken over, and so does a full disk.
    if (needOfLog(client) === "thread" && takeOverLog(client)) pauses = 0;
    else {
      pauses += 1;
      await setTimeout(pauseMs);
    }
  }
  client.close();
}
