import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import { readyUrl } from "../../scripts/start-executable.ts";
import { atEnd } from "./at-end.ts";
import { type Output, outputOf } from "./output-of.ts";

export const executable = path.join(import.meta.dirname, "../../dist/rubricon");

export interface Server {
  url: string;
  /** Its working folder, with the data in `data`. */
  folder: string;
  databaseFile: string;
  process: ChildProcess;
  /** Returns what it has written to stderr so far. */
  log(): string;
  /** Stops it and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Creates a temporary folder, removed after the test. */
export function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "site-"));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tests post more often, and sooner after loading a page, than people do. */
export const withoutLimits = {
  RUBRICON_POSTS_PER_10_MINUTES: "0",
  RUBRICON_UPLOADS_PER_10_MINUTES: "0",
  RUBRICON_SPAM_SECONDS: "0",
};

/**
 * Starts the executable as an institution would: in an empty folder, without node on PATH, with no
 * other environment. Stopped after the test.
 */
export async function startServer(
  t: TestContext,
  {
    folder = newFolder(t),
    env = {},
    program = executable,
    args = [],
  }: { folder?: string; env?: Record<string, string>; program?: string; args?: string[] } = {},
): Promise<Server> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: "/nowhere", PORT: "0", ...withoutLimits, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr!.on("data", (chunk) => {
    log += chunk;
  });
  const exited = once(child, "exit");
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  atEnd(t, () => stop("SIGKILL"));
  return {
    url: await readyUrl(child),
    folder,
    databaseFile: path.join(folder, "data/rubricon.db"),
    process: child,
    log: () => log,
    stop,
  };
}

/** Runs a command of the executable; returns its exit code and output. */
export function runCommand(
  folder: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Output> {
  const child = spawn(executable, args, {
    cwd: folder,
    env: { PATH: "/nowhere", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return outputOf(child);
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

/** Waits until `probe` returns something truthy. @throws after a timeout */
export async function until<T>(
  probe: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Still not true after ${timeoutMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
