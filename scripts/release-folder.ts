import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { program } from "../app/brand.ts";
import { billOfMaterials } from "./bill-of-materials.ts";

const root = path.join(import.meta.dirname, "..");

/** Writes what an archive of a release contains: the program, its unit, settings, documents, manual page and licences. */
export function writeReleaseFolder(folder: string, executable: string): void {
  const inFolder = (name: string) => path.join(folder, name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(executable, inFolder(program.command));
  chmodSync(inFolder(program.command), 0o755);
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]) {
    copyFileSync(path.join(root, file), inFolder(file));
  }
  cpSync(path.join(root, "docs"), inFolder("docs"), { recursive: true });
  for (const file of ["rubricon.service", "unavailable.html"]) {
    copyFileSync(path.join(root, "packaging", file), inFolder(file));
  }
  copyFileSync(path.join(root, "build/server/licenses.txt"), inFolder("THIRD-PARTY-NOTICES.txt"));
  writeFileSync(inFolder(`${program.command}.cdx.json`), billOfMaterials());
  // From the build, because the executable may be for another architecture.
  const server = path.join(root, "build/server/server.js");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [server, ...args], { stdio: "pipe" });
  run("config", "init", inFolder("rubricon.env"));
  writeFileSync(inFolder(`${program.command}.1`), run("man"));
  writeChecksums(folder);
}

/** Writes SHA256SUMS for all files below a folder. Returns their number. */
export function writeChecksums(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  const sums = files.map((name) => {
    const bytes = readFileSync(path.join(folder, name));
    return `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  });
  writeFileSync(path.join(folder, "SHA256SUMS"), sums.join(""));
  return files.length;
}
