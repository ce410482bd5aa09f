import { received, type SentError } from "../errors.ts";
import type { Store } from "../store.ts";
import { type Call, operationsVia } from "./connection.ts";
import type { Migrated } from "./migrate-file.ts";
import { startThread } from "./thread.ts";
import type { Reply, WriterCall } from "./writer-thread.ts";

/** What the thread sends before it takes calls. */
interface Opening {
  migrated?: Migrated;
  ready: boolean;
  error: SentError;
}

/**
 * Opens the database for the server, on a thread of its own, so that a page never waits for the disk.
 * @param backupFolder takes a copy of the file before its schema is migrated
 * @param onLost called if that thread ends unexpectedly: nothing can be stored any more
 * @param onMigrated called if an older file was migrated
 * @throws DatabaseMismatch, DatabaseInUse
 */
export async function openServerStore(
  file: string,
  backupFolder: string,
  onLost: (error: Error) => void,
  onMigrated: (migrated: Migrated) => void,
): Promise<Store> {
  const worker = startThread("writer-thread", { databaseFile: file, backupFolder });
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.on("message", ({ migrated, ready, error }: Opening) => {
      if (migrated) onMigrated(migrated);
      else if (ready) resolve();
      else reject(received(error));
    });
  });
  worker.removeAllListeners("error").removeAllListeners("message");

  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isClosed = false;
  worker.on("message", ({ id, result, error }: Reply) => {
    const call = pending.get(id)!;
    pending.delete(id);
    if (error) call.reject(received(error));
    else call.resolve(result);
  });
  const lose = (error: Error) => {
    for (const call of pending.values()) call.reject(error);
    if (!isClosed) onLost(error);
  };
  worker.on("error", lose);
  worker.on("exit", () => lose(new Error("the database thread has ended")));

  const send = (call: Call | { name: "close" }): Promise<unknown> => {
    const id = ++lastId;
    const reply = Promise.withResolvers<unknown>();
    pending.set(id, reply);
    worker.postMessage({ id, ...call } satisfies WriterCall);
    return reply.promise;
  };
  return {
    ...operationsVia(send),
    async close() {
      isClosed = true;
      // The last connection to close checkpoints the WAL and deletes it.
      await send({ name: "close" });
    },
  };
}
