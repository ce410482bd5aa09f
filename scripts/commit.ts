import { execFileSync } from "node:child_process";
import packageJson from "../package.json" with { type: "json" };

/** The time of the commit, so that two builds of the commit are the same; the current time outside a repository. */
export function commitTime(): Date {
  const seconds = git("log", "-1", "--format=%ct");
  return seconds ? new Date(Number(seconds) * 1000) : new Date();
}

/**
 * The version of a build. The tagged commit has the version of package.json; outside a repository, "~source" is added.
 * Debian sorts the versions of other commits by the time of the commit, and before the next release.
 */
export function buildVersion(): string {
  const { version } = packageJson;
  const commit = git("rev-parse", "HEAD");
  if (!commit) return `${version}~source`;
  const tagged = git("rev-parse", "--verify", "--quiet", `v${version}^{commit}`);
  if (tagged === commit) return version;
  const [major, minor, patch] = version.split(".").map(Number);
  const next = tagged ? `${major}.${minor}.${patch! + 1}` : version;
  const time = commitTime().toISOString().replace(/\D/g, "").slice(0, 14);
  return `${next}~git${time}.${commit.slice(0, 7)}`;
}

/** What git prints; empty if it fails, such as outside a repository. */
function git(...args: string[]): string {
  try {
    const options = { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", args, options).trim();
  } catch {
    return "";
  }
}
