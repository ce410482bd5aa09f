import { existsSync } from "node:fs";
import path from "node:path";

/** Returns the absolute path of `target`, or of its nearest ancestor that exists: a folder or a file. */
export function nearestExisting(target: string): string {
  const full = path.resolve(target);
  return existsSync(full) ? full : nearestExisting(path.dirname(full));
}
