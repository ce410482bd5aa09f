import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { parse } from "yaml";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { isOk } from "./is-ok.ts";
import { isRunning } from "./is-running.ts";
import { until } from "./server.ts";

const guide = readFileSync(path.join(import.meta.dirname, "../../docs/scaling.md"), "utf8");

const packages = ["postgresql", "patroni", "etcd-server", "python3-etcd", "openssl"];

export interface PatroniCluster {
  /** The URL of a database, by TLS, with both nodes as its hosts. */
  urlOf(database: string): string;
  /** The URL of a database on the primary, for queries beside the servers. */
  primaryUrlOf(database: string): string;
  /** Kills the primary, which its Patroni starts again. */
  killPrimary(): Promise<void>;
  /** Kills the primary and its Patroni. The standby becomes the primary; the node returns as standby. */
  killNode(): Promise<void>;
  /** Waits until a synchronous standby follows the primary. */
  untilSynchronous(): Promise<void>;
}

interface Node {
  name: string;
  databasePort: number;
  restPort: number;
  folder: string;
  patroni?: ChildProcess;
}

/** Runs etcd and two nodes with the configuration of docs/scaling.md, until the end of the test. */
export async function startPatroni(t: TestContext): Promise<PatroniCluster> {
  if (!existsSync("/usr/bin/patroni") || !existsSync("/usr/bin/etcd")) {
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages]);
  }
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const account = { uid: id("-u"), gid: id("-g") };
  const folder = mkdtempSync(path.join(tmpdir(), "patroni-"));
  chmodSync(folder, 0o755);
  const etcdPort = await startEtcd(t, folder);
  const nodes = await Promise.all(["db1", "db2"].map((name) => newNode(folder, name)));
  atEnd(t, async () => {
    for (const node of nodes) await killAll(node);
    rmSync(folder, { recursive: true, force: true });
  });
  makeCertificates(folder, nodes);
  for (const node of nodes) {
    writeFileSync(path.join(node.folder, "config.yml"), configurationOf(node, etcdPort));
    for (const file of ["", "config.yml", `${node.name}.key`, `${node.name}.pem`]) {
      chownSync(path.join(node.folder, file), account.uid, account.gid);
    }
  }
  const start = (node: Node) => {
    const file = path.join(node.folder, "config.yml");
    const options = { ...account, cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" } };
    node.patroni = spawn("/usr/bin/patroni", [file], { ...options, stdio: "ignore" });
  };
  const [first, second] = nodes as [Node, Node];
  start(first);
  const primary = () => until(() => primaryOf(nodes), 90_000);
  await primary();
  start(second);
  const untilSynchronous = async () => {
    await until(async () => hasSynchronousStandby(await primary()), 90_000);
  };
  await untilSynchronous();
  const options = `sslmode=verify-full&sslrootcert=${path.join(folder, "ca.pem")}`;
  const urlOn = (hosts: Node[], database: string) =>
    `postgres://postgres:PASSWORD@${hosts.map(({ databasePort }) => `127.0.0.1:${databasePort}`).join(",")}/${database}?${options}`;
  let lastPrimary = first;
  return {
    urlOf: (database) => urlOn(nodes, database),
    primaryUrlOf: (database) => urlOn([lastPrimary], database),
    async killPrimary() {
      lastPrimary = await primary();
      const pid = postmasterOf(lastPrimary)!;
      process.kill(pid, "SIGKILL");
      await until(() => postmasterOf(lastPrimary) !== pid);
      lastPrimary = await primary();
    },
    async killNode() {
      const dead = await primary();
      await killAll(dead);
      lastPrimary = await until(() => primaryOf(nodes.filter((node) => node !== dead)), 90_000);
      start(dead);
    },
    untilSynchronous,
  };
}

async function startEtcd(t: TestContext, folder: string): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    "/usr/bin/etcd",
    [
      "--data-dir",
      path.join(folder, "etcd"),
      "--log-level",
      "error",
      "--listen-client-urls",
      url,
      "--advertise-client-urls",
      url,
      "--listen-peer-urls",
      `http://127.0.0.1:${peerPort}`,
      "--initial-advertise-peer-urls",
      `http://127.0.0.1:${peerPort}`,
      "--initial-cluster",
      `default=http://127.0.0.1:${peerPort}`,
    ],
    { stdio: "ignore" },
  );
  const exited = once(child, "exit");
  atEnd(t, async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await until(() => isOk(`${url}/health`));
  return port;
}

async function newNode(parent: string, name: string): Promise<Node> {
  const folder = path.join(parent, name);
  mkdirSync(folder);
  return { name, folder, databasePort: await freePort(), restPort: await freePort() };
}

/** Makes the certificate of each node with the commands of the guide. */
function makeCertificates(folder: string, nodes: Node[]): void {
  const [, commands] = /```sh\n(openssl req -x509.*?)```/s.exec(guide)!;
  const [authority, ...certificate] = commands!.trim().split("\n");
  const run = (command: string) =>
    execFileSync("sh", ["-c", command], { cwd: folder, stdio: "pipe" });
  run(authority!);
  for (const { name, folder: own } of nodes) {
    for (const command of certificate) {
      run(command.replaceAll("db1", name).replace("10.0.0.11", "127.0.0.1"));
    }
    execFileSync("mv", [`${name}.key`, `${name}.pem`, own], { cwd: folder });
    chmodSync(path.join(own, `${name}.key`), 0o600);
  }
}

/** The configuration of the guide, with this machine's addresses and folders. @throws Error if it is no YAML */
function configurationOf({ name, folder, databasePort, restPort }: Node, etcdPort: number): string {
  const [, yaml] = /```yaml\n(scope: rubricon\n.*?)```/s.exec(guide)!;
  const text = yaml!
    .replaceAll("10.0.0.11:8008", `127.0.0.1:${restPort}`)
    .replaceAll("10.0.0.11:5432", `127.0.0.1:${databasePort}`)
    .replace(/hosts: .*/, `hosts: 127.0.0.1:${etcdPort}`)
    .replaceAll("10.0.0.0/24", "127.0.0.1/32")
    .replace("data_dir: /var/lib/postgresql/rubricon", `data_dir: ${folder}/data`)
    .replace("/var/run/postgresql", folder)
    .replaceAll("/etc/patroni/", `${folder}/`)
    .replaceAll("db1", name);
  parse(text);
  return text;
}

/** Kills a node as a power failure does. */
async function killAll(node: Node): Promise<void> {
  const pid = postmasterOf(node);
  if (node.patroni?.exitCode === null && node.patroni.signalCode === null) {
    const exited = once(node.patroni, "exit");
    node.patroni.kill("SIGKILL");
    await exited;
  }
  if (pid) {
    process.kill(pid, "SIGKILL");
    await until(() => !isRunning(pid));
  }
}

function postmasterOf({ folder }: Node): number | undefined {
  const file = path.join(folder, "data/postmaster.pid");
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  return isRunning(pid) ? pid : undefined;
}

async function primaryOf(nodes: Node[]): Promise<Node | undefined> {
  for (const node of nodes) {
    if (await isOk(`http://127.0.0.1:${node.restPort}/primary`)) return node;
  }
  return undefined;
}

/** Whether a synchronous standby follows the primary: right after a failure, it may still follow the history before. */
async function hasSynchronousStandby({ restPort }: Node): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined);
  const { members } = ((await response?.json()) ?? { members: [] }) as {
    members: { role: string; timeline: number }[];
  };
  const leader = members.find(({ role }) => role === "leader");
  const standby = members.find(({ role }) => role === "sync_standby");
  return standby !== undefined && standby.timeline === leader?.timeline;
}
