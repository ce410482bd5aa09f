/** Opens a server's database in a thread, and answers the server's calls. The threads of both engines use this. */
import { parentPort } from "node:worker_threads";
import type { Call } from "./calls.ts";
import { sendable } from "./errors.ts";
import { operationNames } from "./operations/index.ts";
import type { Opening, Reply, SentCall } from "./server-store.ts";
import type { Measurement } from "./store.ts";

const port = parentPort!;

interface AnsweringDatabase {
  run(call: Call): Promise<unknown>;
  measure(): Promise<Measurement[]>;
  close(): Promise<void>;
}

/**
 * Opens the database once the server's first message asks for it, and passes on the calls that arrive from then on.
 * @param open opens the database; its argument sends a sentence for the log to the server
 * @param take answers the calls of a message, now or later
 */
export function answerCalls<Database extends AnsweringDatabase>(
  open: (onMigrated: (note: string) => void) => Promise<Database>,
  take: (database: Database, calls: SentCall[]) => void,
): void {
  const send = (message: Opening) => port.postMessage(message);
  port.once("message", async () => {
    try {
      const database = await open((note) => send({ step: "migrated", note }));
      port.on("message", (calls: SentCall[]) => take(database, calls));
      send({ step: "ready", operations: operationNames });
    } catch (error) {
      send({ step: "failed", error: sendable(error) });
    }
  });
}

/** Runs one call, and replies with its result or its error. */
export async function answer(database: AnsweringDatabase, call: SentCall): Promise<void> {
  const { id } = call;
  try {
    reply([{ id, result: await resultOf(database, call) }]);
    if (call.name === "close") port.close();
  } catch (error) {
    reply([{ id, error: sendable(error) }]);
  }
}

function resultOf(database: AnsweringDatabase, call: SentCall): Promise<unknown> {
  if (call.name === "close") return database.close();
  if (call.name === "measure") return database.measure();
  return database.run(call);
}

export const reply = (replies: Reply[]) => port.postMessage(replies);
