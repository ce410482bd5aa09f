/** Checkpoints: moving the content of the write-ahead log (WAL) into the database file. Sizes are in pages of 8 kB. */
import type Sqlite from "better-sqlite3";

/** A longer WAL is checkpointed to its end, so that it starts again from its beginning: 64 MB. */
const longWalPages = 8000;

/** So many pages are checkpointed quickly enough to do it between two calls: 4 MB. */
const shortRestPages = 500;

const retryMs = 2_000;

/** What a WAL needs: nothing, a checkpoint thread, or a short checkpoint at once. */
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

/** Whether the whole WAL has been checkpointed. */
export function isFullyCheckpointed(client: Sqlite.Database): boolean {
  const { log, checkpointed } = checkpoint(client, "NOOP");
  return log === checkpointed;
}

/** Checkpoints as much as readers allow. Returns whether that was anything. */
export function checkpointPassively(client: Sqlite.Database): boolean {
  try {
    const before = checkpoint(client, "NOOP").checkpointed;
    return checkpoint(client, "PASSIVE").checkpointed > before;
  } catch {
    // Such as a full disk. The WAL is intact, and a later attempt will follow.
    return false;
  }
}

/**
 * Checkpoints the whole WAL and truncates it, so that it no longer contains what was deleted. Returns whether it
 * succeeded: a reader or a running checkpoint prevents it.
 * @param timeoutMs how long to wait for readers; a running checkpoint is not awaited
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

/** The same without waiting. */
export function tryTruncatingWal(client: Sqlite.Database): boolean {
  try {
    return truncateWal(client, 0);
  } catch {
    // Such as a full disk.
    return false;
  }
}

/** The same without waiting, tried again until it succeeds. For the server, which goes on meanwhile. */
export function truncateWalSoon(client: Sqlite.Database): void {
  if (!client.open || tryTruncatingWal(client)) return;
  if (tryingAgain.has(client)) return;
  tryingAgain.add(client);
  setTimeout(() => {
    tryingAgain.delete(client);
    truncateWalSoon(client);
  }, retryMs).unref();
}

/** Connections with a retry scheduled: one is enough for everything that was deleted. */
const tryingAgain = new WeakSet<Sqlite.Database>();

function checkpoint(client: Sqlite.Database, mode: "NOOP" | "PASSIVE" | "TRUNCATE") {
  const [state] = client.pragma(`wal_checkpoint(${mode})`) as [
    { busy: number; log: number; checkpointed: number },
  ];
  return state;
}
