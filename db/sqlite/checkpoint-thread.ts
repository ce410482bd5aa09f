/**
 * Checkpoints a long WAL on its own thread and connection, so that writers do not wait for the disk. When the WAL
 * has stayed short for a while, it is truncated and the thread ends.
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
 * A larger WAL is left to the next writer, whose commit truncates it (journal_size_limit): truncating it here takes
 * 0.3 seconds a gigabyte, in which writers would run into their timeout.
 */
const maxTruncateBytes = 2_000_000_000;

const { databaseFile, openFile } = workerData;

void work(new Sqlite(databaseFile, { nativeBinding: addonFor(databaseFile) }));

async function work(client: Sqlite.Database): Promise<void> {
  // A connection knows nothing of the WAL before its first read.
  client.pragma("user_version");
  let pauses = 0;
  for (;;) {
    // A backup in progress or a full disk prevents a checkpoint.
    if (checkpointNeed(client) === "thread" && checkpointAndSync(client)) pauses = 0;
    else if (pauses < maxPauses) {
      pauses += 1;
      await setTimeout(pauseMs);
    } else {
      checkpointAndSync(client);
      const isLeft = statSync(`${databaseFile}-wal`).size > maxTruncateBytes;
      // Truncating blocks writers, so nothing else may be left to do.
      if (isFullyCheckpointed(client) && (isLeft || tryTruncatingWal(client))) break;
      pauses = 0;
    }
  }
  client.close();
}

/** Syncs outside SQLite, which would sync while writers wait. */
function checkpointAndSync(client: Sqlite.Database): boolean {
  if (!checkpointPassively(client)) return false;
  fsyncSync(openFile);
  return true;
}
