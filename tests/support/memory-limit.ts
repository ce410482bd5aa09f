import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";

/** For each version of control groups: their folder, and the files with the limit and with the count of kills. */
const versions = [
  { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", kills: "memory.oom_control" },
  { root: "/sys/fs/cgroup", limit: "memory.max", kills: "memory.events" },
];

/**
 * Limits a process's memory, with its sockets' buffers and its part of the page cache, as MemoryMax
 * of the systemd unit does.
 * @returns a function that says how many processes the kernel has killed for exceeding the limit; undefined if
 * this machine has no writable control groups
 */
export function limitMemory(
  t: TestContext,
  pid: number,
  bytes: number,
): (() => number) | undefined {
  const version = versions.find(({ root }) => existsSync(path.join(root, "cgroup.procs")));
  if (!version) return undefined;
  const group = path.join(version.root, `rubricon-test-${pid}`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, version.limit), String(bytes));
    writeFileSync(path.join(group, "cgroup.procs"), String(pid));
  } catch {
    if (existsSync(group)) rmdirSync(group);
    return undefined;
  }
  atEnd(t, () => {
    // The server still runs, and a group with processes cannot be removed, so they are moved out.
    for (const left of readFileSync(path.join(group, "cgroup.procs"), "utf8").split("\n")) {
      if (left) writeFileSync(path.join(version.root, "cgroup.procs"), left);
    }
    rmdirSync(group);
  });
  return () =>
    Number(/oom_kill (\d+)/.exec(readFileSync(path.join(group, version.kills), "utf8"))?.[1] ?? 0);
}
