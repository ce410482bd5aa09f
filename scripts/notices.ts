/** Writes build/server/licenses.txt: the program's licence, then those of the third-party parts of the executable. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { node, packages, read, sqlite, wasmLibraries } from "./parts.ts";

const notices = [...packages(), ...wasmLibraries(), sqlite(), node()].map(
  ({ name, version, identifier, text }) => `${name} ${version} (${identifier})\n\n${text}\n`,
);
const line = `\n${"-".repeat(78)}\n\n`;
writeFileSync(
  path.join(import.meta.dirname, "../build/server/licenses.txt"),
  [
    `${read("LICENSE")}\n`,
    "The program contains the following parts of others.\n",
    ...notices,
  ].join(line),
);
