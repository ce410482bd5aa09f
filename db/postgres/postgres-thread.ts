/** The thread that owns the connections of a running server. It handles calls side by side. */
import { parentPort, workerData } from "node:worker_threads";
import { sendable } from "../errors.ts";
import { operationNames } from "../operations/index.ts";
import type { Opening, Reply, SentCall } from "../server-store.ts";
import { parseAddress } from "./address.ts";
import { openDatabase } from "./open.ts";
import type { Database } from "./postgres-database.ts";

const port = parentPort!;
const sendOpening = (message: Opening) => port.postMessage(message);
const reply = (message: Reply) => port.postMessage([message]);

// The server's first message asks the thread to open the database.
port.once("message", () => void open());

async function open(): Promise<void> {
  const { url, connections } = workerData;
  const onMigrated = (note: string) => sendOpening({ step: "migrated", note });
  try {
    const database = await openDatabase(parseAddress(url), connections, onMigrated);
    port.on("message", (calls: SentCall[]) => {
      for (const call of calls) void answer(database, call);
    });
    sendOpening({ step: "ready", operations: operationNames });
  } catch (error) {
    sendOpening({ step: "failed", error: sendable(error) });
  }
}

async function answer(database: Database, call: SentCall): Promise<void> {
  try {
    if (call.name === "close") {
      await database.close();
      reply({ id: call.id });
      port.close();
    } else if (call.name === "measure") {
      reply({ id: call.id, result: await database.measure() });
    } else reply({ id: call.id, result: await database.run(call) });
  } catch (error) {
    reply({ id: call.id, error: sendable(error) });
  }
}
