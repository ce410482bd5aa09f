/**
 * The writer's thread: it owns the one connection of a running server, so that a page never waits for
 * a disk. It answers one call after another, in the order they come; submissions that wait together are
 * made durable together.
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { sendable, Unavailable } from "./errors.ts";
import { closeDatabase, type Db, openDatabase } from "./open.ts";
import { operations } from "./operations.ts";

export interface Call {
  id: number;
  name: keyof typeof operations | "close";
  args: unknown[];
}

/** What visitors wait for, each a transaction of its own that may as well be part of a larger one. */
const submissions: Call["name"][] = [
  "submitContactRequest",
  "submitDemoUpload",
  "submitRubricRequest",
  "subscribe",
];

const port = parentPort!;
let db: Db;

openDatabase(workerData.file, workerData.backupFolder).then(
  (opened) => {
    db = opened;
    port.on("message", (first: Call) => answerAll([first, ...waiting()]));
    port.postMessage({ ready: true });
  },
  (error) => port.postMessage({ ready: false, error: sendable(error) }),
);

/** The calls that have come meanwhile. */
function* waiting(): Generator<Call> {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    yield next.message;
  }
}

function answerAll(calls: Call[]): void {
  while (calls.length > 0) {
    const other = calls.findIndex(({ name }) => !submissions.includes(name));
    const together = calls.splice(0, other === -1 ? calls.length : other);
    if (together.length > 1) answerTogether(together);
    else void answer(together[0] ?? calls.shift()!);
  }
}

async function answer(call: Call): Promise<void> {
  if (call.name === "close") {
    await closeDatabase(db);
    port.postMessage({ id: call.id, result: undefined });
    port.close();
  } else await send(call, run(call));
}

/**
 * One transaction, and one wait for the disk, for all of them; inside it each is a savepoint, so that one
 * which fails harms no other. Nobody is answered before the whole is on the disk.
 */
function answerTogether(calls: Call[]): void {
  const { $client: client } = db;
  const outcomes: Promise<unknown>[] = [];
  let undone: unknown;
  try {
    client
      .transaction(() => {
        for (const call of calls) {
          const outcome = run(call);
          outcome.catch(() => {});
          outcomes.push(outcome);
          // Some faults, such as a full disk, make SQLite undo all that was done so far.
          if (!client.inTransaction)
            throw new Unavailable("Undone for another submission's fault.");
        }
      })
      .immediate();
  } catch (error) {
    undone = error;
  }
  for (const [place, call] of calls.entries()) {
    const outcome = (outcomes[place] ?? Promise.resolve()).then((result) => {
      if (undone) throw undone;
      return result;
    });
    void send(call, outcome);
  }
}

/** The operations are synchronous inside, so what is begun here is done here. */
function run({ name, args }: Call): Promise<unknown> {
  const operation = operations[name as keyof typeof operations];
  return (operation as (db: Db, ...args: unknown[]) => Promise<unknown>)(db, ...args);
}

async function send({ id }: Call, outcome: Promise<unknown>): Promise<void> {
  try {
    port.postMessage({ id, result: await outcome });
  } catch (error) {
    port.postMessage({ id, error: sendable(error) });
  }
}
