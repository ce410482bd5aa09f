/** What a process uses, from Linux's /proc. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** CPU time of all threads, in milliseconds. */
export function cpuMsOf({ pid }: ChildProcess): number {
  // After the name, which may contain spaces, fields 11 and 12, from 0, are utime and stime; see proc_pid_stat(5).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Returns a field of resident memory in MiB; see proc_pid_status(5). */
export function memoryOf(
  { pid }: ChildProcess,
  field: "VmRSS" | "VmHWM" | "RssFile" | "RssAnon",
): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)![1]) / 1024;
}
