import { openSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { received, type SentError } from "../errors.ts";
import type { Store } from "../store.ts";
import { type Call, operationsVia } from "./connection.ts";
import { startThread } from "./thread.ts";
import type { Reply, WriterCall } from "./writer-thread.ts";

/** Minimum time between two checkpoint threads; one that ends sooner has failed. */
const checkpointIntervalMs = 5_000;

/**
 * Opens the database for the server, on a thread of its own, so that a page never waits for the disk.
 * @param backupFolder takes a copy of the file before its schema is migrated
 * @param onLost called if that thread ends unexpectedly: nothing can be stored any more
 * @throws DatabaseMismatch, DatabaseInUse
 */
export async function openServerStore(
  file: string,
  backupFolder: string,
  onLost: (error: Error) => void,
): Promise<Store> {
  const data = { databaseFile: file, backupFolder };
  const worker = startThread("writer-thread", data);
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", ({ ready, error }: { ready: boolean; error: SentError }) =>
      ready ? resolve() : reject(received(error)),
    );
  });
  worker.removeAllListeners("error");

  const checkpoints = superviseCheckpoints(data);
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isClosed = false;
  worker.on("message", (message: Reply | { walIsLong: true }) => {
    if ("walIsLong" in message) {
      checkpoints.start();
      return;
    }
    const { id, result, error } = message;
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
      await checkpoints.stop();
      await send({ name: "close" });
    },
  };
}

/** Runs at most one checkpoint thread at a time. */
function superviseCheckpoints(data: { databaseFile: string }) {
  // Never closed: closing any descriptor of the file drops the process's POSIX locks on it, SQLite's too.
  const openFile = openSync(data.databaseFile, "r");
  let thread: Worker | undefined;
  let notBefore = 0;
  let isStopped = false;
  return {
    start() {
      if (isStopped || thread || performance.now() < notBefore) return;
      notBefore = performance.now() + checkpointIntervalMs;
      try {
        thread = startThread("checkpoint-thread", { ...data, openFile });
      } catch {
        // No more threads: the WAL grows until the writer's own checkpoint (wal_autocheckpoint).
        return;
      }
      thread.unref();
      thread.on("error", () => {});
      thread.on("exit", () => {
        thread = undefined;
      });
    },
    async stop() {
      isStopped = true;
      await thread?.terminate();
    },
  };
}
