import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";
import { newFolder, until } from "./server.ts";

/** A Debian without Node that has booted: systemd runs units in it, and its network is its own. */
export interface Debian {
  /** Its files as they are seen from outside; not what lies in its /tmp and /run. */
  root: string;
  /** Runs a script in it as root would type it, to its end. */
  run(script: string): Promise<{ code: number | null; out: string; err: string }>;
  /** What starts a program of this machine in its network alone. */
  inItsNetwork: string[];
}

const base = path.join(import.meta.dirname, "../../.cache/debian-bookworm");
const tools = ["debootstrap", "unshare", "nsenter", "pivot_root", "ip"];

/** Why none can be booted here, or undefined. */
export function whyNoDebian(): string | undefined {
  if (process.getuid?.() !== 0) return "this needs root, for namespaces";
  const missing = tools.filter((tool) => spawnSync("which", [tool]).status !== 0);
  if (missing.length > 0) return `there is no ${missing.join(", ")} here`;
  if (!cgroups()) return "there are no cgroups (version 2) here";
  if (spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "true"]).status !== 0) {
    return "no namespaces can be made here";
  }
  if (existsSync(base)) return undefined;
  try {
    makeBase();
    return undefined;
  } catch (error) {
    return `no Debian could be fetched: ${(error as Error).message}`;
  }
}

/** A copy of the base, booted; ended and removed after the test. */
export async function bootDebian(t: TestContext): Promise<Debian> {
  const root = path.join(newFolder(t), "root");
  execFileSync("cp", ["--archive", "--reflink=auto", base, root]);
  // As Debian's installer leaves them.
  writeFileSync(path.join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  writeFileSync(path.join(root, "etc/hostname"), "marking\n");
  const group = path.join(cgroups()!, `debian-${process.pid}`);
  mkdirSync(group);
  const namespaces = ["--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup"];
  const boot = path.join(import.meta.dirname, "debian-boot.sh");
  const child = spawn(
    "sh",
    [
      "-c",
      'echo $$ > "$1/cgroup.procs" && shift && exec unshare "$@"',
      "sh",
      group,
      ...namespaces,
      "--fork",
      "--kill-child",
      "sh",
      boot,
      root,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk;
    });
  }
  const ended = once(child, "exit");
  atEnd(t, async () => {
    child.kill("SIGKILL");
    await ended;
    await removeGroup(group);
  });
  const first = await until(() => {
    if (child.exitCode !== null) throw new Error(`It did not boot: ${said}`);
    return readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  });
  const debian: Debian = {
    root,
    run: (script) => runIn(first, script),
    inItsNetwork: ["nsenter", "--target", first, "--net", "--"],
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`It did not boot: ${said}`);
    const { out } = await debian.run("systemctl is-system-running 2>/dev/null || true");
    return /running|degraded/.test(out);
  });
  return debian;
}

async function runIn(first: string, script: string) {
  const inside = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "HOME=/root"];
  const shell = ["env", "-i", ...inside, "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"];
  const child = spawn(
    "nsenter",
    ["--target", first, "--all", "--", ...shell, "sh", "-euc", script],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

/** Where control groups of version 2 are mounted. */
function cgroups(): string | undefined {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  return mounts.find((line) => line.split(" ")[2] === "cgroup2")?.split(" ")[1];
}

async function removeGroup(group: string): Promise<void> {
  await until(
    () => !readFileSync(path.join(group, "cgroup.events"), "utf8").includes("populated 1"),
  );
  const inner = execFileSync("find", [group, "-depth", "-type", "d"], { encoding: "utf8" });
  for (const folder of inner.trim().split("\n")) rmdirSync(folder);
}

/**
 * What Debian calls a minimal system, with systemd and what a server has to ask others by. The packages that
 * the runbook installs are fetched and not installed: the machine under test has no way to the internet.
 */
function makeBase(): void {
  const unfinished = `${base}.${process.pid}`;
  mkdirSync(path.dirname(base), { recursive: true });
  process.once("exit", () => rmSync(unfinished, { recursive: true, force: true }));
  const limits = { stdio: "pipe", timeout: 600_000 } as const;
  const mirror = "http://deb.debian.org/debian";
  execFileSync("debootstrap", ["--variant=minbase", "bookworm", unfinished, mirror], limits);
  const fetched = `
    export DEBIAN_FRONTEND=noninteractive
    echo 'deb http://deb.debian.org/debian-security bookworm-security main' >> /etc/apt/sources.list
    apt-get update
    apt-get install -y --no-install-recommends systemd systemd-sysv dbus openssl curl ca-certificates
    apt-get install -y --download-only libatomic1 libstdc++6 nginx caddy
    rm /etc/resolv.conf`;
  execFileSync("cp", ["/etc/resolv.conf", `${unfinished}/etc/resolv.conf`]);
  const inside = ["--mount", "chroot", unfinished, "sh", "-euc"];
  execFileSync("unshare", [...inside, `mount -t proc proc /proc\n${fetched}`], limits);
  // Another test file may have been quicker.
  if (existsSync(base)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, base);
}
