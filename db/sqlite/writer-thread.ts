/**
 * The writer's thread: it owns the one connection of a running server, so that a page never waits for
 * a disk. It answers one call after another, in the order they come; submissions that wait together are
 * made durable together.
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { sendable, Unavailable } from "../errors.ts";
import { operations } from "../operations.ts";
import { closeDatabase, type Db, openDatabase } from "./open.ts";
import { checkpointNeed, checkpointPassively } from "./wal.ts";

export interface StoreCall {
  id: number;
  name: keyof typeof operations | "close";
  args: unknown[];
}

/** What visitors wait for, each a transaction of its own that may as well be part of a larger one. */
const submissions: StoreCall["name"][] = [
  "submitContactRequest",
  "submitDemoUpload",
  "submitRubricRequest",
  "subscribe",
];

const port = parentPort!;
/** Calls that have come and are not answered, in their order. */
const queue: StoreCall[] = [];
let db: Db;

openDatabase(workerData.databaseFile, workerData.backupFolder).then(
  (opened) => {
    db = opened;
    port.on("message", (call: StoreCall) => {
      queue.push(call);
      if (queue.length === 1) void answerAll();
    });
    port.postMessage({ ready: true });
  },
  (error) => port.postMessage({ ready: false, error: sendable(error) }),
);

async function answerAll(): Promise<void> {
  while (queue.length > 0) {
    takeWaiting();
    const other = queue.findIndex(({ name }) => !submissions.includes(name));
    const together = other === -1 ? queue.length : other;
    if (together > 1) await answerTogether(queue.slice(0, together));
    else await answer(queue[0]!);
    queue.splice(0, Math.max(together, 1));
    if (db.$client.open) checkpointIfNeeded();
  }
}

/**
 * A thread takes a long log over while submissions go on. Under way there is always more to take over, so the
 * last of it is done here, while nothing is written: only then does the log begin anew.
 */
function checkpointIfNeeded(): void {
  const need = checkpointNeed(db.$client);
  if (need === "thread") port.postMessage({ walIsLong: true });
  if (need === "moment") checkpointPassively(db.$client);
}

/** Takes in the calls that have come meanwhile. */
function takeWaiting(): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    queue.push(next.message);
  }
}

async function answer(call: StoreCall): Promise<void> {
  if (call.name === "close") {
    await closeDatabase(db);
    port.postMessage({ id: call.id, result: undefined });
    port.close();
  } else await send(call, run(call));
}

/**
 * One transaction, and one wait for the disk, for all of them. Nobody is answered before the whole is on
 * the disk. Where one of them fails, all is undone, and each is tried by itself.
 */
async function answerTogether(calls: StoreCall[]): Promise<void> {
  const { $client: client } = db;
  let results: unknown[] | undefined;
  try {
    client.exec("BEGIN IMMEDIATE");
    results = await resultsOf(calls).catch(() => undefined);
    if (results) client.exec("COMMIT");
  } catch (error) {
    // The database is locked, or the disk takes no more: that is nobody's fault, and everybody's.
    for (const { id } of calls) port.postMessage({ id, error: sendable(error) });
    return;
  } finally {
    if (client.inTransaction) client.exec("ROLLBACK");
  }
  for (const [place, call] of calls.entries()) {
    if (results) port.postMessage({ id: call.id, result: results[place] });
    else await answer(call);
  }
}

/** Rejects where one of them fails. */
function resultsOf(calls: StoreCall[]): Promise<unknown[]> {
  return Promise.all(
    calls.map(async (call) => {
      // Some faults, such as a full disk, make SQLite undo all that was done so far.
      if (!db.$client.inTransaction) throw new Unavailable("Undone for another's fault.");
      return run(call);
    }),
  );
}

/** The operations are synchronous inside, so what is begun here is done here. */
function run({ name, args }: StoreCall): Promise<unknown> {
  const operation = operations[name as keyof typeof operations];
  return (operation as (db: Db, ...args: unknown[]) => Promise<unknown>)(db, ...args);
}

async function send({ id }: StoreCall, outcome: Promise<unknown>): Promise<void> {
  try {
    port.postMessage({ id, result: await outcome });
  } catch (error) {
    port.postMessage({ id, error: sendable(error) });
  }
}
