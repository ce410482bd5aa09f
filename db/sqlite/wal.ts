/** Checkpoints: moving the content of the write-ahead log (WAL) into the database file. */
import type Sqlite from "better-sqlite3";

const retryMs = 2_000;

/**
 * Checkpoints the whole WAL and truncates it, so that it no longer contains what was deleted. Returns whether it
 * succeeded: a reader or a running checkpoint prevents it.
 * @param timeoutMs how long to wait for readers; a running checkpoint is not awaited
 */
export function truncateWal(client: Sqlite.Database, timeoutMs: number): boolean {
  const before = client.pragma("busy_timeout", { simple: true });
  client.pragma(`busy_timeout = ${timeoutMs}`);
  try {
    const [{ busy }] = client.pragma("wal_checkpoint(TRUNCATE)") as [{ busy: number }];
    return busy === 0;
  } finally {
    client.pragma(`busy_timeout = ${before}`);
  }
}

/** Truncates the WAL without waiting for readers, and tries again until it succeeds or the connection is closed. */
export function truncateWalSoon(client: Sqlite.Database): void {
  if (!client.open || tryTruncatingWal(client)) return;
  if (tryingAgain.has(client)) return;
  tryingAgain.add(client);
  setTimeout(() => {
    tryingAgain.delete(client);
    truncateWalSoon(client);
  }, retryMs).unref();
}

function tryTruncatingWal(client: Sqlite.Database): boolean {
  try {
    return truncateWal(client, 0);
  } catch {
    // The truncation failed, for example because the disk is full: the caller tries again later.
    return false;
  }
}

/** Connections with a retry scheduled: further deletions need no second retry. */
const tryingAgain = new WeakSet<Sqlite.Database>();
