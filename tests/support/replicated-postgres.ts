import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { isRunning } from "./is-running.ts";
import { until } from "./server.ts";

const packages = "/usr/lib/postgresql";

interface ReplicatedPostgres {
  url: string;
  primaryUrl(): string;
  /** Kills the primary, promotes the standby, and makes the killed one its standby again. */
  failOver(): Promise<void>;
  /** Stops the standby, or starts it again. While it is stopped, no commit is confirmed. */
  setStandby(isRunning: boolean): Promise<void>;
}

/**
 * Starts Debian's PostgreSQL twice: a primary that confirms a commit only when its synchronous standby
 * has it, and that standby. Installs the package if it is missing.
 */
export async function startReplicated(t: TestContext): Promise<ReplicatedPostgres> {
  if (!existsSync(packages)) {
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "postgresql"]);
  }
  const version = readdirSync(packages).sort().at(-1)!;
  const program = (name: string) => path.join(packages, version, "bin", name);
  const folder = mkdtempSync(path.join(tmpdir(), "replicated-"));
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const account = { uid: id("-u"), gid: id("-g") };
  chownSync(folder, account.uid, account.gid);
  const run = (name: string, ...args: string[]) =>
    execFileSync(program(name), args, { ...account, cwd: "/", stdio: "ignore" });
  const nodes = [
    { data: path.join(folder, "a"), port: await freePort() },
    { data: path.join(folder, "b"), port: await freePort() },
  ];
  let [primary, standby] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const start = ({ data, port }: typeof primary) => {
    const options = `-p ${port} -k ${folder} -h 127.0.0.1 -c synchronous_standby_names=* -c max_connections=100`;
    run("pg_ctl", "start", "-w", "-D", data, "-l", `${data}.log`, "-o", options);
  };
  const stop = ({ data }: typeof primary, mode: string) => {
    if (existsSync(path.join(data, "postmaster.pid")))
      run("pg_ctl", "stop", "-D", data, "-m", mode);
  };
  atEnd(t, () => {
    for (const node of nodes) stop(node, "immediate");
    rmSync(folder, { recursive: true, force: true });
  });
  const cloneStandby = () => {
    rmSync(standby.data, { recursive: true, force: true });
    const source = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "site"];
    run("pg_basebackup", ...source, "-D", standby.data, "-R", "-X", "stream", "-c", "fast");
    start(standby);
  };
  run("initdb", "-D", primary.data, "-U", "site", "--auth=trust", "-E", "UTF8", "--locale=C");
  start(primary);
  cloneStandby();
  const hostOf = ({ port }: typeof primary) => `127.0.0.1:${port}`;
  const urlOf = (hosts: string) => `postgres://site@${hosts}/postgres`;
  return {
    url: urlOf(nodes.map(hostOf).join(",")),
    primaryUrl: () => urlOf(hostOf(primary)),
    async failOver() {
      const pid = Number(
        readFileSync(path.join(primary.data, "postmaster.pid"), "utf8").split("\n")[0],
      );
      process.kill(pid, "SIGKILL");
      await until(() => !isRunning(pid));
      [primary, standby] = [standby, primary];
      run("pg_ctl", "promote", "-w", "-D", primary.data);
      cloneStandby();
    },
    async setStandby(runs) {
      if (runs) start(standby);
      else stop(standby, "immediate");
    },
  };
}
