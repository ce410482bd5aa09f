import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { readyUrl } from "../../scripts/start-executable.ts";
import { atEnd, type Scope, wholeFile } from "./at-end.ts";
import { type Output, outputOf } from "./output-of.ts";
import { newDatabase, queryPostgres, tablesOf } from "./postgres.ts";

export const executable = path.join(import.meta.dirname, "../../dist/rubricon");

export interface Server {
  url: string;
  /** The server's working folder, with the data in `data`. */
  folder: string;
  /** The database file; without meaning for a server on PostgreSQL. */
  databaseFile: string;
  /** The URL of the database; undefined for a server on SQLite. */
  databaseUrl: string | undefined;
  process: ChildProcess;
  /** Returns what the server has written to stderr so far. */
  log(): string;
  /** Queries the database while the server runs, as an administrator would. */
  query<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
  /** Changes rows of the database beside the server. */
  change(sql: string): Promise<void>;
  /** Stops the server and returns its exit code, null after a signal that it does not handle. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Creates a temporary folder, removed after the test. */
export function newFolder(t: Scope): string {
  const folder = mkdtempSync(path.join(tmpdir(), "site-"));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The PostgreSQL databases of servers and commands, by their folders. */
const databaseUrls = new Map<string, string>();

/** Creates the database that servers and commands of a folder share, if the test file has set PostgreSQL. */
async function createDatabase(t: Scope, folder: string): Promise<void> {
  if (process.env.TEST_ENGINE !== "postgres" || databaseUrls.has(folder)) return;
  databaseUrls.set(folder, await newDatabase(t));
}

/** The setting by which a command of a folder finds its PostgreSQL database; none on SQLite. */
export function databaseSettings(folder: string): Record<string, string> {
  const url = databaseUrls.get(folder);
  return url ? { RUBRICON_DATABASE_URL: url } : {};
}

/** Settings without limits, because tests post more often, and sooner after loading a page, than people do. */
export const withoutLimits = {
  RUBRICON_POSTS_PER_10_MINUTES: "0",
  RUBRICON_UPLOADS_PER_10_MINUTES: "0",
  RUBRICON_SPAM_SECONDS: "0",
};

/** The folder for compiled code, if the tests' runner has one: starts take a fifth less processor time with it. */
export const compileCache = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

/** Lets this machine read the metrics, and what /readyz found. */
export const localMetrics = { RUBRICON_METRICS_NETWORKS: "127.0.0.0/8, ::1" };

/**
 * Starts the executable as an institution would: in a folder of its own, without node on PATH, with no environment
 * but `compileCache`, `withoutLimits` and `env`. Stopped after the test.
 * @throws Error if it ends before it is ready
 */
export async function startServer(
  t: Scope,
  {
    folder = newFolder(t),
    env = {},
    program = executable,
    args = [],
  }: { folder?: string; env?: Record<string, string>; program?: string; args?: string[] } = {},
): Promise<Server> {
  await createDatabase(t, folder);
  // stderr is a file and not a pipe, so that what was logged before a response is there when the response is.
  const logFile = path.join(newFolder(t), "log");
  const stderr = openSync(logFile, "a");
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: "/nowhere",
      PORT: "0",
      ...compileCache,
      ...withoutLimits,
      ...databaseSettings(folder),
      ...env,
    },
    stdio: ["ignore", "pipe", stderr],
  });
  closeSync(stderr);
  const log = () => readFileSync(logFile, "utf8");
  const exited = once(child, "exit");
  exited.catch(() => {});
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    // Without an id, no process was started: there is no such program.
    if (child.pid === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  atEnd(t, () => stop("SIGKILL"));
  const databaseFile = path.join(folder, "data/rubricon.db");
  const databaseUrl = databaseUrls.get(folder);
  return {
    url: await readyUrl(child, log),
    folder,
    databaseFile,
    databaseUrl,
    process: child,
    log,
    query: async (sql) =>
      databaseUrl ? await queryPostgres(databaseUrl, sql) : query(databaseFile, sql),
    async change(sql) {
      if (databaseUrl) await queryPostgres(databaseUrl, sql);
      else changeFile(databaseFile, sql);
    },
    stop,
  };
}

let shared: Promise<Server> | undefined;

/** Settings of the server of this test file, which are set before its first test. */
export const sharedSettings: Record<string, string> = {};

/**
 * The server of this test file, as `startServer` starts it, when it is first needed. For tests that change nothing that
 * another test of the file looks at.
 */
export function sharedServer(): Promise<Server> {
  shared ??= startServer(wholeFile, { env: sharedSettings });
  return shared;
}

/** The server of this test file, with nothing stored. For tests that look at what they have stored. */
export async function emptyServer(): Promise<Server> {
  const server = await sharedServer();
  if (server.databaseUrl) {
    const tables = (await tablesOf(server.databaseUrl)).filter(isEmptied);
    await server.change(`TRUNCATE ${tables.join()} RESTART IDENTITY CASCADE`);
  } else await replaceRows(server);
  return server;
}

// The row of the clock is written at the start, and leases are held.
const isEmptied = (table: string) => table !== "clock" && table !== "leases";

/** Deletes what a server has stored in its file. @param kept a copy of the file whose rows are then stored */
async function replaceRows(server: Server, kept?: string): Promise<void> {
  // The sequences come last, because rows that are stored change them.
  const tables = await server.query<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'
      ORDER BY name = 'sqlite_sequence'`,
  );
  const changes = tables
    .filter(({ name }) => isEmptied(name))
    .map(
      ({ name }) =>
        `DELETE FROM ${name};${kept ? `INSERT INTO ${name} SELECT * FROM kept.${name};` : ""}`,
    );
  await server.change(
    `${kept ? `ATTACH '${kept}' AS kept;` : ""} PRAGMA foreign_keys = OFF; BEGIN; ${changes.join("")} COMMIT`,
  );
}

/** Copies the database of a server into a new folder, for a server of its own. Returns the folder. */
export function copiedFolder(t: Scope, { databaseFile }: Server): string {
  const folder = newFolder(t);
  mkdirSync(path.join(folder, "data"));
  changeFile(databaseFile, `VACUUM INTO '${path.join(folder, "data/rubricon.db")}'`);
  return folder;
}

/**
 * Starts another server with what a server has stored: with a copy of its file, or beside it on its PostgreSQL
 * database.
 */
export function startAnother(
  t: Scope,
  server: Server,
  env: Record<string, string> = {},
): Promise<Server> {
  if (!server.databaseUrl) return startServer(t, { folder: copiedFolder(t, server), env });
  const folder = newFolder(t);
  databaseUrls.set(folder, server.databaseUrl);
  return startServer(t, { folder, env });
}

/**
 * Returns a function for tests that begin alike: it empties the server of this test file and sets it up, and from the
 * second time on stores what the first has stored, because requests and commands take longer. PostgreSQL is set up anew.
 */
export function setUpOnce<Result>(
  setUp: (server: Server) => Promise<Result>,
): () => Promise<Result> {
  let kept: { result: Result; file: string } | undefined;
  return async () => {
    if (kept) {
      await replaceRows(await sharedServer(), kept.file);
      return kept.result;
    }
    const server = await emptyServer();
    const result = await setUp(server);
    if (!server.databaseUrl) {
      kept = { result, file: path.join(copiedFolder(wholeFile, server), "data/rubricon.db") };
    }
    return result;
  };
}

type Run = (folder: string, args: string[], env?: Record<string, string>) => Promise<Output>;

/** Runs a command of the executable in a folder; returns its exit code and output. */
export const runExecutable: Run = (folder, args, env = {}) => {
  if (!existsSync(executable)) throw new Error("No executable: build it with npm run package.");
  const child = spawn(executable, args, {
    cwd: folder,
    env: { PATH: "/nowhere", ...compileCache, ...databaseSettings(folder), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return outputOf(child);
};

let run = runExecutable;

/** Runs a command of the executable, or from source in a test file that calls `runCommandsHere`. */
export const runCommand: Run = (...command) => run(...command);

/** Has `runCommand` run commands otherwise in this test file. */
export function setRun(other: Run): void {
  run = other;
}

/** Queries the SQLite file while the server runs, as an administrator would. */
export function query<Row = Record<string, unknown>>(databaseFile: string, sql: string): Row[] {
  if (!existsSync(databaseFile)) throw new Error(`There is no ${databaseFile}`);
  const db = new Sqlite(databaseFile, { readonly: true });
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

/** Changes rows of an SQLite file, which a server may have open. */
export function changeFile(databaseFile: string, sql: string): void {
  const db = new Sqlite(databaseFile, { timeout: 60_000 });
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** Waits until `probe` returns something truthy, and returns that. @throws Error after the timeout */
export async function until<T>(
  probe: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Still not true after ${timeoutMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
