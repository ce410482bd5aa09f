import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "./at-end.ts";

export const executable = path.join(import.meta.dirname, "../../dist/rubricon");

export interface Server {
  url: string;
  /** Its working folder; the data lies in `data` inside it. */
  folder: string;
  databaseFile: string;
  process: ChildProcess;
  /** What it has written to stderr so far. */
  log(): string;
  /** Ends it and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A folder of the test's own, removed after it. */
export function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "site-"));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tests post more, and sooner after a page, than people do. */
export const withoutLimits = {
  RUBRICON_POSTS_PER_10_MINUTES: "0",
  RUBRICON_UPLOADS_PER_10_MINUTES: "0",
  RUBRICON_SPAM_SECONDS: "0",
};

/**
 * Starts the executable as an institution would: an empty folder, no node on PATH, nothing else set.
 * It is ended after the test.
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
  let out = "";
  let log = "";
  child.stderr!.on("data", (chunk) => {
    log += chunk;
  });
  const ended = once(child, "exit");
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    return child.exitCode;
  };
  atEnd(t, () => stop("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", (chunk) => {
      out += chunk;
      const ready = /^Ready: (\S+)$/m.exec(out);
      if (ready) resolve(ready[1]!);
    });
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${log}`)));
  });
  return {
    url,
    folder,
    databaseFile: path.join(folder, "data/rubricon.db"),
    process: child,
    log: () => log,
    stop,
  };
}

/** Runs a command of the executable to its end. */
export async function runCommand(
  folder: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(executable, args, {
    cwd: folder,
    env: { PATH: "/nowhere", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

/** Reads the SQLite file as an administrator would, while the server runs. */
export function query<Row = Record<string, unknown>>(databaseFile: string, sql: string): Row[] {
  if (!existsSync(databaseFile)) throw new Error(`There is no ${databaseFile}`);
  const db = new Sqlite(databaseFile, { readonly: true });
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

/** Waits until something is true; the deadline is for a test that has gone wrong. */
export async function until<T>(
  probe: () => T | Promise<T>,
  deadlineMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Still not true after ${deadlineMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
