import { existsSync } from "node:fs";
import path from "node:path";

/** Returns the absolute path itself if it exists, otherwise its nearest existing parent folder. */
export function nearestExisting(target: string): string {
  const full = path.resolve(target);
  return existsSync(full) ? full : nearestExisting(path.dirname(full));
}
