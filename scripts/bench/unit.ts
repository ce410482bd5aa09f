import { readFileSync } from "node:fs";
import path from "node:path";

const unit = path.join(import.meta.dirname, "../../packaging/rubricon.service");

/** What the unit sets for the program besides its own settings, so that it is measured as it is run. */
export function unitEnvironment(): Record<string, string> {
  const words = [...readFileSync(unit, "utf8").matchAll(/^Environment=(.*)$/gm)]
    .flatMap(([, line]) => line!.split(" "))
    .filter((word) => !word.startsWith("RUBRICON_"));
  return Object.fromEntries(words.map((word) => word.split(/=(.*)/).slice(0, 2)));
}
