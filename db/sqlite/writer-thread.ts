/** The thread of a running server's only connection. Calls run in turn; posts queued together share one commit. */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Call } from "../calls.ts";
import { sendable } from "../errors.ts";
import { operationNames, operationOf } from "../operations/index.ts";
import type { Opening, Reply, SentCall } from "../server-store.ts";
import type { Connection } from "./connection.ts";
import { openDatabase } from "./open.ts";

const port = parentPort!;
/** Calls that have arrived and are not answered yet, in their order. */
const queue: SentCall[] = [];

const sendOpening = (message: Opening) => port.postMessage(message);
// The server's first message asks the thread to open the database.
port.once("message", () => void open());

async function open(): Promise<void> {
  const { databaseFile, backupFolder } = workerData;
  const onMigrated = (note: string) => sendOpening({ step: "migrated", note });
  try {
    const connection = openDatabase(databaseFile, backupFolder, onMigrated);
    port.on("message", (calls: SentCall[]) => {
      const isIdle = queue.length === 0;
      queue.push(...calls);
      if (isIdle) void answerAll(connection);
    });
    sendOpening({ step: "ready", operations: operationNames });
  } catch (error) {
    sendOpening({ step: "failed", error: sendable(error) });
  }
}

async function answerAll(connection: Connection): Promise<void> {
  while (queue.length > 0) {
    takeArrived();
    const group = groupAtFront();
    if (group.length > 1) await answerTogether(connection, group);
    else await answer(connection, queue[0]!);
    queue.splice(0, Math.max(group.length, 1));
  }
}

/** Appends the messages that have arrived meanwhile to the queue. */
function takeArrived(): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    queue.push(...next.message);
  }
}

/** The calls at the front of the queue that may share a commit. */
function groupAtFront(): SentCall<Call>[] {
  const group: SentCall<Call>[] = [];
  for (const call of queue) {
    if (call.name === "close" || call.name === "measure") break;
    if (!operationOf(call).sharesCommit) break;
    group.push(call);
  }
  return group;
}

async function answer(connection: Connection, call: SentCall): Promise<void> {
  if (call.name === "close") {
    connection.close();
    reply([{ id: call.id }]);
    port.close();
    return;
  }
  if (call.name === "measure") {
    // A single connection has nothing to measure; app/server/http/metrics.ts measures the file's size.
    reply([{ id: call.id, result: [] }]);
    return;
  }
  try {
    reply([{ id: call.id, result: await connection.run(call) }]);
  } catch (error) {
    reply([{ id: call.id, error: sendable(error) }]);
  }
}

/** Runs all calls in one transaction, with one sync. If one fails, runs each again by itself. */
async function answerTogether(connection: Connection, calls: SentCall<Call>[]): Promise<void> {
  let results: unknown[] | undefined;
  try {
    results = await connection.runTogether(calls);
  } catch (error) {
    // The transaction failed, not a call: the database is locked or the disk is full.
    reply(calls.map(({ id }) => ({ id, error: sendable(error) })));
    return;
  }
  if (results) reply(calls.map(({ id }, index) => ({ id, result: results[index] })));
  else for (const call of calls) await answer(connection, call);
}

const reply = (replies: Reply[]) => port.postMessage(replies);
