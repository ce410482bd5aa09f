import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Scope } from "./at-end.ts";
import { newFolder } from "./server.ts";

/**
 * Returns the environment in which the executable finds this many megabytes free on every disk:
 * Node loads a file that replaces the system call.
 */
export function withFreeSpace(t: Scope, megabytes: number): { NODE_OPTIONS: string } {
  const file = path.join(newFolder(t), "statfs.cjs");
  writeFileSync(
    file,
    `const fs = require("node:fs");
    const { statfs } = fs.promises;
    fs.promises.statfs = async (...args) =>
      Object.assign(await statfs(...args), { bavail: ${megabytes}, bsize: 1048576 });
    require("node:module").syncBuiltinESMExports();`,
  );
  return { NODE_OPTIONS: `--require=${file}` };
}
