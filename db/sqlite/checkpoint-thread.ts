/**
 * Takes a long log over into the file, in a thread of its own with a connection of its own: that waits for
 * the disk, and whoever sends something need not wait along. When the log has been short for a while, its
 * room on the disk is given back, and the thread ends.
 */
import { fsyncSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { addonFor } from "./open-for-reading.ts";
import {
  checkpointNeed,
  checkpointPassively,
  isFullyCheckpointed,
  tryTruncatingWal,
} from "./wal.ts";

const pauseMs = 100;
const maxPauses = 50;

/**
 * A log of more bytes is left to whoever writes next, and is cut then (journal_size_limit): cutting it here, 0.3
 * seconds a gigabyte, would hold writers up until they give up.
 */
const maxTruncateBytes = 2_000_000_000;

const { databaseFile, openFile } = workerData;

void work(new Sqlite(databaseFile, { nativeBinding: addonFor(databaseFile) }));

async function work(client: Sqlite.Database): Promise<void> {
  // A connection knows nothing of the log before it has read something.
  client.pragma("user_version");
  let pauses = 0;
  for (;;) {
    // A backup that is being made keeps the log from being taken over, and so does a full disk.
    if (checkpointNeed(client) === "thread" && checkpointAndSync(client)) pauses = 0;
    else if (pauses < maxPauses) {
      pauses += 1;
      await setTimeout(pauseMs);
    } else {
      checkpointAndSync(client);
      const isLeft = statSync(`${databaseFile}-wal`).size > maxTruncateBytes;
      // While writers are held up there is to be nothing left to do but to cut.
      if (isFullyCheckpointed(client) && (isLeft || tryTruncatingWal(client))) break;
      pauses = 0;
    }
  }
  client.close();
}

/** SQLite waits for the disk only when all is taken over, and would make others wait along. */
function checkpointAndSync(client: Sqlite.Database): boolean {
  if (!checkpointPassively(client)) return false;
  fsyncSync(openFile);
  return true;
}
