import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../errors.ts";
import type { CommandStore } from "../store.ts";
import { operationsOver } from "./connection.ts";
import { openExistingDatabase } from "./open.ts";
import { truncateWal } from "./wal.ts";

/**
 * Opens an existing database for a command. The server may be running.
 * @throws as `openExistingDatabase`
 */
export function openCommandStore(file: string): CommandStore {
  const connection = openExistingDatabase(file);
  const { client } = connection;
  return {
    ...operationsOver(connection),
    /**
     * SQLite overwrites deleted content (secure_delete), but not copies that it left in unused pages when it moved
     * rows. VACUUM rewrites the whole file; the WAL is truncated before and after.
     */
    async scrub({ vacuum }) {
      await truncateOrThrow();
      if (!vacuum) return;
      client.pragma("busy_timeout = 10000");
      client.exec("VACUUM");
      await truncateOrThrow();
    },
    close: async () => connection.close(),
  };

  /** Waits for readers. Retries, because an attempt fails at once while the server checkpoints. */
  async function truncateOrThrow(): Promise<void> {
    const end = performance.now() + 4_000;
    do {
      if (truncateWal(client, 2_000)) return;
      await sleep(200);
    } while (performance.now() < end);
    throw new Unavailable(
      "The rows are deleted, but the write-ahead log still contains them, because another program is reading it. Close that program and run the command again.",
    );
  }
}
