import type { Worker } from "node:worker_threads";
import { type Call, operationsVia } from "./calls.ts";
import { received, type SentError } from "./errors.ts";
import type { Measurement, ServerStore } from "./store.ts";

/** A call of an operation, or one that runs in no transaction. */
type StoreCall = Call | { name: "close" } | { name: "measure" };

/** A call as it is sent to the thread. */
export type SentCall<Of = StoreCall> = Of & { id: number };

export interface Reply {
  id: number;
  result?: unknown;
  error?: SentError;
}

/** What the thread sends before it takes calls. */
export type Opening =
  | { step: "migrated"; note: string }
  | { step: "ready" }
  | { step: "failed"; error: SentError };

export interface StoreEvents {
  /** Called if the thread ends unexpectedly: nothing can be stored any more. */
  onLost(error: Error): void;
  /** Called with a sentence for the log if an older schema was migrated. */
  onMigrated(note: string): void;
}

/**
 * A store whose thread runs the operations, so that a page never waits for the database.
 * @throws what the thread reports while it opens
 */
export async function storeInThread(
  worker: Worker,
  { onLost, onMigrated }: StoreEvents,
): Promise<ServerStore> {
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.on("message", (opening: Opening) => {
      if (opening.step === "migrated") onMigrated(opening.note);
      else if (opening.step === "ready") resolve();
      else reject(received(opening.error));
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

  const send = (call: StoreCall): Promise<unknown> => {
    const id = ++lastId;
    const reply = Promise.withResolvers<unknown>();
    pending.set(id, reply);
    worker.postMessage({ id, ...call } satisfies SentCall);
    return reply.promise;
  };
  return {
    ...operationsVia(send),
    measure: () => send({ name: "measure" }) as Promise<Measurement[]>,
    async close() {
      isClosed = true;
      await send({ name: "close" });
    },
  };
}
