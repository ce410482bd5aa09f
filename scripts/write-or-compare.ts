import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * With --write, writes a generated document; without it, only compares, and fails if the document is out of date.
 * @param file path from the root of the project
 */
export function writeOrCompare(file: string, text: string): void {
  const full = path.join(import.meta.dirname, "..", file);
  if (process.argv.includes("--write")) writeFileSync(full, text);
  else if (!existsSync(full) || readFileSync(full, "utf8") !== text) {
    process.stderr.write(`${file} is out of date. Run: npm run check -- --write\n`);
    process.exitCode = 1;
  }
}
