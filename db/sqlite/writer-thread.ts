/**
 * The thread that owns the only connection of a running server. It handles calls in order of arrival;
 * posts that are queued together share one commit.
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { type SentError, sendable } from "../errors.ts";
import { type Call, type Connection, operationOf } from "./connection.ts";
import type { Migrated } from "./migrate-file.ts";
import { openDatabase } from "./open.ts";

export type WriterCall = { id: number } & (Call | { name: "close" });

export interface Reply {
  id: number;
  result?: unknown;
  error?: SentError;
}

const port = parentPort!;
/** Calls that have arrived and are not answered yet, in their order. */
const queue: WriterCall[] = [];

const onMigrated = (migrated: Migrated) => port.postMessage({ migrated });

openDatabase(workerData.databaseFile, workerData.backupFolder, onMigrated).then(
  (connection) => {
    port.on("message", (call: WriterCall) => {
      queue.push(call);
      if (queue.length === 1) void answerAll(connection);
    });
    port.postMessage({ ready: true });
  },
  (error) => port.postMessage({ ready: false, error: sendable(error) }),
);

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
    queue.push(next.message);
  }
}

/** The calls at the front of the queue that may share a commit. */
function groupAtFront(): (Call & { id: number })[] {
  const group: (Call & { id: number })[] = [];
  for (const call of queue) {
    if (call.name === "close" || !operationOf(call).sharesCommit) break;
    group.push(call);
  }
  return group;
}

async function answer(connection: Connection, call: WriterCall): Promise<void> {
  if (call.name === "close") {
    connection.close();
    reply({ id: call.id });
    port.close();
    return;
  }
  try {
    reply({ id: call.id, result: await connection.run(call) });
  } catch (error) {
    reply({ id: call.id, error: sendable(error) });
  }
}

/** Runs all calls in one transaction, with one sync. If one fails, runs each again by itself. */
async function answerTogether(
  connection: Connection,
  calls: (Call & { id: number })[],
): Promise<void> {
  let results: unknown[] | undefined;
  try {
    results = await connection.runTogether(calls);
  } catch (error) {
    // The transaction failed, not a call: the database is locked or the disk is full.
    for (const { id } of calls) reply({ id, error: sendable(error) });
    return;
  }
  for (const [index, call] of calls.entries()) {
    if (results) reply({ id: call.id, result: results[index] });
    else await answer(connection, call);
  }
}

const reply = (message: Reply) => port.postMessage(message);
