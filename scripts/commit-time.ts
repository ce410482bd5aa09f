import { execFileSync } from "node:child_process";

/** The time of the commit, so that two builds of it are the same; now, outside a repository. */
export function commitTime(): Date {
  try {
    const seconds = execFileSync("git", ["log", "-1", "--format=%ct"], { stdio: "pipe" });
    return new Date(Number(seconds) * 1000);
  } catch {
    return new Date();
  }
}
