/** The thread of a running server's only connection. Calls run in turn; posts queued together share one commit. */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { answer, answerCalls, reply } from "../answering-thread.ts";
import type { Call } from "../calls.ts";
import { sendable } from "../errors.ts";
import { operationOf } from "../operations/index.ts";
import type { SentCall } from "../server-store.ts";
import type { Connection } from "./connection.ts";
import { openDatabase } from "./open.ts";

const port = parentPort!;
/** Calls that have arrived and are not answered yet, in their order. */
const queue: SentCall[] = [];

answerCalls(
  async (onMigrated) => openDatabase(workerData.databaseFile, workerData.backupFolder, onMigrated),
  (connection, calls) => {
    const isIdle = queue.length === 0;
    queue.push(...calls);
    if (isIdle) void answerAll(connection);
  },
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
