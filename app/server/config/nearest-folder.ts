import { existsSync } from "node:fs";
import path from "node:path";

/** A path itself, or what is there of it: where the rest would be made. */
export function nearestExisting(place: string): string {
  const full = path.resolve(place);
  return existsSync(full) ? full : nearestExisting(path.dirname(full));
}
