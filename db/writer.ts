/**
 * The writer's thread: it owns the one connection of a running server, so that a page never waits for
 * a disk. It answers one call after another, in the order they come.
 */
import { parentPort, workerData } from "node:worker_threads";
import { sendable } from "./errors.ts";
import { closeDatabase, type Db, openDatabase } from "./open.ts";
import { operations } from "./operations.ts";

export interface Call {
  id: number;
  name: keyof typeof operations | "close";
  args: unknown[];
}

const port = parentPort!;
let db: Db;

openDatabase(workerData.file).then(
  (opened) => {
    db = opened;
    port.on("message", answer);
    port.postMessage({ ready: true });
  },
  (error) => port.postMessage({ ready: false, error: sendable(error) }),
);

async function answer({ id, name, args }: Call): Promise<void> {
  try {
    if (name === "close") {
      await closeDatabase(db);
      port.postMessage({ id, result: undefined });
      port.close();
      return;
    }
    const operation = operations[name] as (db: Db, ...args: unknown[]) => Promise<unknown>;
    port.postMessage({ id, result: await operation(db, ...args) });
  } catch (error) {
    port.postMessage({ id, error: sendable(error) });
  }
}
