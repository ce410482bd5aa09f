/** The log that SQLite keeps beside the file (WAL), and how it is taken over into the file. */
import type Sqlite from "better-sqlite3";

/** Pages of the log after which it is taken over, so that it begins anew: 64 MB. */
const longWalPages = 8000;

/** Pages that are taken over in a moment: 4 MB. */
const shortRestPages = 500;

const retryMs = 2_000;

/** What a log needs: to be left alone, a thread that takes it over, or the last of it at once. */
export type CheckpointNeed = "nothing" | "thread" | "moment";

export function checkpointNeed(client: Sqlite.Database): CheckpointNeed {
  try {
    const { log, checkpointed } = checkpoint(client, "NOOP");
    if (log < longWalPages) return "nothing";
    return log - checkpointed > shortRestPages ? "thread" : "moment";
  } catch {
    return "nothing";
  }
}

/** Whether nothing of the log is left to be taken over. */
export function isFullyCheckpointed(client: Sqlite.Database): boolean {
  const { log, checkpointed } = checkpoint(client, "NOOP");
  return log === checkpointed;
}

/** Takes the log over as far as readers allow. Returns whether any of it could be. */
export function checkpointPassively(client: Sqlite.Database): boolean {
  try {
    const before = checkpoint(client, "NOOP").checkpointed;
    return checkpoint(client, "PASSIVE").checkpointed > before;
  } catch {
    // The disk is full, for one. The log is whole, and there will be another time.
    return false;
  }
}

/**
 * Brings all of the log to the file, and empties it: what was deleted is overwritten in the file, and would else
 * still stand in the log. Returns whether it could be done; somebody may be reading, or taking it over.
 * @param patienceMs for readers; who takes the log over is not waited for
 */
export function truncateWal(client: Sqlite.Database, timeoutMs: number): boolean {
  const before = client.pragma("busy_timeout", { simple: true });
  client.pragma(`busy_timeout = ${timeoutMs}`);
  try {
    return checkpoint(client, "TRUNCATE").busy === 0;
  } finally {
    client.pragma(`busy_timeout = ${before}`);
  }
}

/** The same without waiting for anybody. */
export function tryTruncatingWal(client: Sqlite.Database): boolean {
  try {
    return truncateWal(client, 0);
  } catch {
    // The disk is full, for one.
    return false;
  }
}

/** The same without waiting for anybody, again and again until it is done. For the server, which goes on meanwhile. */
export function truncateWalSoon(client: Sqlite.Database): void {
  if (!client.open || tryTruncatingWal(client)) return;
  if (tryingAgain.has(client)) return;
  tryingAgain.add(client);
  setTimeout(() => {
    tryingAgain.delete(client);
    truncateWalSoon(client);
  }, retryMs).unref();
}

/** Those whose log will be tried again: one try at a time does for all that was deleted. */
const tryingAgain = new WeakSet<Sqlite.Database>();

function checkpoint(client: Sqlite.Database, mode: "NOOP" | "PASSIVE" | "TRUNCATE") {
  const [state] = client.pragma(`wal_checkpoint(${mode})`) as [
    { busy: number; log: number; checkpointed: number },
  ];
  return state;
}
