import { readFileSync } from "node:fs";
import path from "node:path";

const unit = path.join(import.meta.dirname, "../../packaging/rubricon.service");

/**
 * Returns the environment variables that the systemd unit sets for Node, so that benchmarks run the
 * program as the unit does.
 */
export function unitEnvironment(): Record<string, string> {
  const assignments = [...readFileSync(unit, "utf8").matchAll(/^Environment=(.*)$/gm)]
    .flatMap(([, line]) => line!.split(" "))
    .filter((assignment) => !assignment.startsWith("RUBRICON_"));
  return Object.fromEntries(assignments.map((assignment) => assignment.split(/=(.*)/).slice(0, 2)));
}

/** Returns the environment of a benchmark's server: the unit's, with a free port and without limits on posts. */
export const benchEnvironment = () => ({
  ...unitEnvironment(),
  PORT: "0",
  RUBRICON_POSTS_PER_10_MINUTES: "0",
  RUBRICON_UPLOADS_PER_10_MINUTES: "0",
  RUBRICON_SPAM_SECONDS: "0",
});
