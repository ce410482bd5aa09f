import { readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";

/** Adds the command that prints licenses.txt, which scripts/notices.ts writes when the site is built. */
export function addLicenses(root: Command): void {
  root
    .command("licenses")
    .description("print the licences of everything in the program")
    .action(() => {
      process.stdout.write(readFileSync(path.join(import.meta.dirname, "licenses.txt")));
    });
}
