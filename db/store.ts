import { openSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { received, type SentError } from "./errors.ts";
import { operations } from "./operations.ts";
import { closeDatabase, type Db, openDatabase } from "./sqlite/open.ts";
import { startThread } from "./sqlite/thread.ts";
import type { StoreCall } from "./sqlite/writer-thread.ts";

type Operations = typeof operations;

/** The database as the server holds it: the operations without their first argument. */
export type Store = {
  [Name in keyof Operations]: Operations[Name] extends (db: Db, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
} & { close(): Promise<void> };

/**
 * Opens the database in the writer's thread.
 * @param backupFolder takes a copy of the file before its layout is changed
 * @param onLost called when that thread dies by itself: nothing can be kept any more
 * @throws WrongDatabase, DatabaseInUse
 */
export async function openStore(
  file: string,
  backupFolder: string,
  onLost: (error: Error) => void,
): Promise<Store> {
  return import.meta.env.DEV
    ? openHere(file, backupFolder)
    : openInThread({ databaseFile: file, backupFolder }, onLost);
}

async function openInThread(
  data: { databaseFile: string; backupFolder: string },
  onLost: (error: Error) => void,
): Promise<Store> {
  const worker = startThread("writer-thread", data);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let closed = false;
  let checkpoints: Worker | undefined;
  let notBefore = 0;

  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", ({ ready, error }: { ready: boolean; error: SentError }) =>
      ready ? resolve() : reject(received(error)),
    );
  });
  // Never closed, for the reason that openExpected tells.
  const openFile = openSync(data.databaseFile, "r");
  worker.on("message", (message: Answer | { walIsLong: true }) => {
    if ("walIsLong" in message) {
      checkpointPassively();
      return;
    }
    const { id, result, error } = message;
    const call = waiting.get(id)!;
    waiting.delete(id);
    if (error) call.reject(received(error));
    else call.resolve(result);
  });
  const checkpointPassively = () => {
    if (closed || checkpoints || performance.now() < notBefore) return;
    notBefore = performance.now() + startsApartMs;
    try {
      checkpoints = startThread("checkpoint-thread", { ...data, openFile });
    } catch {
      // The system gives no more threads. The log grows until the writer takes it over itself.
      return;
    }
    checkpoints.unref();
    checkpoints.on("error", () => {});
    checkpoints.on("exit", () => {
      checkpoints = undefined;
    });
  };
  const lost = (error: Error) => {
    for (const call of waiting.values()) call.reject(error);
    if (!closed) onLost(error);
  };
  worker.removeAllListeners("error");
  worker.on("error", lost);
  worker.on("exit", () => lost(new Error("the database's thread has ended")));

  const call = (name: StoreCall["name"], args: unknown[]) => {
    const id = ++lastId;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    worker.postMessage({ id, name, args } satisfies StoreCall);
    return answer.promise;
  };
  const store = Object.fromEntries(
    (Object.keys(operations) as (keyof Operations)[]).map((name) => [
      name,
      (...args: unknown[]) => call(name, args),
    ]),
  );
  return {
    ...store,
    async close() {
      closed = true;
      // The last who closes the file takes the log over and removes it.
      await checkpoints?.terminate();
      await call("close", []);
    },
  } as Store;
}

interface Answer {
  id: number;
  result: unknown;
  error?: SentError;
}

/** The thread that takes the log over lives for longer than that, unless something is wrong with it. */
const startsApartMs = 5_000;

/** In development the thread could not load what Vite has not built. */
async function openHere(file: string, backupFolder: string): Promise<Store> {
  const db = await openDatabase(file, backupFolder);
  const store = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (...args: unknown[]) => (operation as (...all: unknown[]) => unknown)(db, ...args),
    ]),
  );
  return { ...store, close: () => closeDatabase(db) } as Store;
}
