import assert from "node:assert/strict";
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
import { type Output, outputOf } from "./output-of.ts";
import { newFolder, until } from "./server.ts";

/** A booted Debian without Node: systemd runs units in it, and it has its own network namespace. */
export interface Debian {
  /** Its root folder on this machine; its /tmp and /run are not visible there. */
  root: string;
  /** Runs a shell script in it as root; returns its exit code and output. */
  run(script: string): Promise<Output>;
  /** Runs a script that must succeed. Returns what it printed to stdout. */
  succeed(script: string): Promise<string>;
  /** Command that runs a program of this machine in the Debian's network namespace. */
  networkNamespacePrefix: string[];
}

const baseFolder = path.join(import.meta.dirname, "../../.cache/debian-bookworm");
const tools = ["debootstrap", "unshare", "nsenter", "pivot_root", "ip"];

/** Returns why no Debian can be booted here, or undefined if one can. Installs the base system if it is missing. */
export function debianSkipReason(): string | undefined {
  if (process.getuid?.() !== 0) return "this needs root, for namespaces";
  const missing = tools.filter((tool) => spawnSync("which", [tool]).status !== 0);
  if (missing.length > 0) return `there is no ${missing.join(", ")} here`;
  if (!cgroupMount()) return "there are no cgroups (version 2) here";
  if (spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "true"]).status !== 0) {
    return "namespaces cannot be created here";
  }
  if (existsSync(baseFolder)) return undefined;
  try {
    bootstrapBase();
    return undefined;
  } catch (error) {
    return `Debian could not be installed: ${(error as Error).message}`;
  }
}

/** Boots a copy of the base system, which is stopped and removed after the test. */
export async function bootDebian(t: TestContext): Promise<Debian> {
  const root = path.join(newFolder(t), "root");
  execFileSync("cp", ["--archive", "--reflink=auto", baseFolder, root]);
  // Debian's installer would write these files.
  writeFileSync(path.join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  writeFileSync(path.join(root, "etc/hostname"), "marking\n");
  const group = path.join(cgroupMount()!, `debian-${process.pid}`);
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
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const exited = once(child, "exit");
  atEnd(t, async () => {
    child.kill("SIGKILL");
    await exited;
    await removeGroup(group);
  });
  const initPid = await until(() => {
    if (child.exitCode !== null) throw new Error(`Debian did not boot: ${output}`);
    return readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  });
  const debian: Debian = {
    root,
    run: (script) => runIn(initPid, script),
    succeed: async (script) => {
      const { code, out, err } = await runIn(initPid, script);
      assert.equal(code, 0, `${script}\nprinted:\n${out}\n${err}`);
      return out;
    },
    networkNamespacePrefix: ["nsenter", "--target", initPid, "--net", "--"],
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Debian did not boot: ${output}`);
    const { out } = await debian.run("systemctl is-system-running 2>/dev/null || true");
    return /running|degraded/.test(out);
  });
  return debian;
}

function runIn(initPid: string, script: string): Promise<Output> {
  const inside = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "HOME=/root"];
  const shell = ["env", "-i", ...inside, "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"];
  const args = ["--target", initPid, "--all", "--", ...shell, "sh", "-euc", script];
  return outputOf(spawn("nsenter", args, { stdio: ["ignore", "pipe", "pipe"] }));
}

/** Returns where control groups (version 2) are mounted; undefined if they are not. */
function cgroupMount(): string | undefined {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  return mounts.find((line) => line.split(" ")[2] === "cgroup2")?.split(" ")[1];
}

async function removeGroup(group: string): Promise<void> {
  await until(
    () => !readFileSync(path.join(group, "cgroup.events"), "utf8").includes("populated 1"),
  );
  const folders = execFileSync("find", [group, "-depth", "-type", "d"], { encoding: "utf8" });
  for (const folder of folders.trim().split("\n")) rmdirSync(folder);
}

/**
 * Installs Debian's minimal system with systemd and an HTTPS client. Packages that the runbook
 * installs are downloaded but not installed: the machine under test has no internet access.
 */
function bootstrapBase(): void {
  const unfinished = `${baseFolder}.${process.pid}`;
  mkdirSync(path.dirname(baseFolder), { recursive: true });
  process.once("exit", () => rmSync(unfinished, { recursive: true, force: true }));
  const options = { stdio: "pipe", timeout: 600_000 } as const;
  const mirror = "http://deb.debian.org/debian";
  execFileSync("debootstrap", ["--variant=minbase", "bookworm", unfinished, mirror], options);
  const script = `
    export DEBIAN_FRONTEND=noninteractive TMPDIR=/tmp
    echo 'deb http://deb.debian.org/debian-security bookworm-security main' >> /etc/apt/sources.list
    apt-get update
    apt-get install -y --no-install-recommends systemd systemd-sysv dbus openssl curl ca-certificates
    apt-get install -y --download-only libatomic1 libstdc++6 nginx caddy
    rm /etc/resolv.conf`;
  execFileSync("cp", ["/etc/resolv.conf", `${unfinished}/etc/resolv.conf`]);
  const inside = ["--mount", "chroot", unfinished, "sh", "-euc"];
  execFileSync("unshare", [...inside, `mount -t proc proc /proc\n${script}`], options);
  // Another test file may have finished first, whose folder is used then.
  if (existsSync(baseFolder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, baseFolder);
}
