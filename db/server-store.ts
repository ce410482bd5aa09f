import type { Worker } from "node:worker_threads";
import { type Call, operationsVia } from "./calls.ts";
import { received, type SentError } from "./errors.ts";
import type { Measurement, OperationName, ServerStore } from "./store.ts";

/** A call of an operation, or of a function that runs in no transaction. */
type StoreCall = Call | { name: "close" } | { name: "measure" };

export type SentCall<AnyCall = StoreCall> = AnyCall & { id: number };

export type Reply = { id: number } & ({ result: unknown } | { error: SentError });

/** What the thread sends before it takes calls. */
export type Opening =
  | { step: "migrated"; note: string }
  | { step: "ready"; operations: OperationName[] }
  | { step: "failed"; error: SentError };

interface StoreEvents {
  /** Called if the thread ends unexpectedly: nothing can be stored any more. */
  onLost(error: Error): void;
  /** Called with a sentence for the log if an older schema was migrated. */
  onMigrated(note: string): void;
}

/** The thread of a server's database. Until `open`, it only loads its code, and keeps no process alive. */
export interface StoreThread {
  /**
   * Opens the database, and migrates it. The store's operations run in the thread, so that they never block the
   * server's event loop.
   * @throws DatabaseMismatch, DatabaseInUse, Unavailable
   */
  open(events: StoreEvents): Promise<ServerStore>;
}

export function storeThread(worker: Worker): StoreThread {
  worker.unref();
  return { open: (events) => openStore(worker, events) };
}

/** Has the thread open the database. Returns the names of the operations that it runs. */
async function openDatabase(
  worker: Worker,
  onMigrated: StoreEvents["onMigrated"],
): Promise<OperationName[]> {
  const names = await new Promise<OperationName[]>((resolve, reject) => {
    worker.once("error", reject);
    worker.on("message", (opening: Opening) => {
      if (opening.step === "migrated") onMigrated(opening.note);
      else if (opening.step === "ready") resolve(opening.operations);
      else reject(received(opening.error));
    });
    worker.ref();
    worker.postMessage("open");
  });
  worker.removeAllListeners("error").removeAllListeners("message");
  return names;
}

async function openStore(
  worker: Worker,
  { onLost, onMigrated }: StoreEvents,
): Promise<ServerStore> {
  const names = await openDatabase(worker, onMigrated);
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isClosed = false;
  worker.on("message", (replies: Reply[]) => {
    for (const reply of replies) {
      const call = pending.get(reply.id)!;
      pending.delete(reply.id);
      if ("error" in reply) call.reject(received(reply.error));
      else call.resolve(reply.result);
    }
  });
  const lose = (error: Error) => {
    for (const call of pending.values()) call.reject(error);
    if (!isClosed) onLost(error);
  };
  worker.on("error", lose);
  worker.on("exit", () => lose(new Error("the database thread has ended")));

  let unsent: SentCall[] = [];
  /** Calls of one turn of the event loop go in one message: waking the thread costs more than the message. */
  const sendAll = () => {
    worker.postMessage(unsent, unsent.flatMap(filesIn));
    unsent = [];
  };
  const send = (call: StoreCall): Promise<unknown> => {
    const id = ++lastId;
    const reply = Promise.withResolvers<unknown>();
    pending.set(id, reply);
    unsent.push({ id, ...call });
    if (unsent.length === 1) setImmediate(sendAll);
    return reply.promise;
  };
  return {
    ...operationsVia(names, send),
    measure: () => send({ name: "measure" }) as Promise<Measurement[]>,
    async close() {
      isClosed = true;
      await send({ name: "close" });
    },
  };
}

/**
 * The memory of the files that a call stores. Moving it to the thread, which leaves the caller's arrays empty, saves a
 * third of an upload's CPU time.
 */
const filesIn = (call: StoreCall): ArrayBuffer[] =>
  ("args" in call ? call.args : []).flatMap((arg) => {
    const { bytes } = (arg ?? {}) as { bytes?: unknown };
    if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return [];
    // A small buffer shares its memory with other buffers, so it is copied.
    return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
  });
