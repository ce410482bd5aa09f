import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { program } from "../app/brand.ts";
import { billOfMaterials } from "./bill-of-materials.ts";

const root = path.join(import.meta.dirname, "..");

/** Writes the files of a release archive, and SHA256SUMS over them. */
export function writeReleaseFolder(folder: string, executable: string): void {
  const inFolder = (name: string) => path.join(folder, name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(executable, inFolder(program.command));
  chmodSync(inFolder(program.command), 0o755);
  copyFileSync(path.join(root, "LICENSE"), inFolder("LICENSE"));
  mkdirSync(inFolder("docs"));
  for (const file of releaseDocuments) {
    const text = readFileSync(path.join(root, file), "utf8");
    writeFileSync(inFolder(file), file.endsWith(".md") ? withoutDeadLinks(text, file) : text);
  }
  for (const file of ["rubricon.service", "unavailable.html"]) {
    copyFileSync(path.join(root, "packaging", file), inFolder(file));
  }
  copyFileSync(path.join(root, "build/server/licenses.txt"), inFolder("THIRD-PARTY-NOTICES.txt"));
  writeFileSync(inFolder(`${program.command}.cdx.json`), billOfMaterials());
  // Run the commands from the build, because the executable may be for another architecture.
  const server = path.join(root, "build/server/server.js");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [server, ...args], { stdio: "pipe" });
  run("config", "init", inFolder("rubricon.env"));
  writeFileSync(inFolder(`${program.command}.1`), run("man"));
  writeChecksums(folder);
}

/** The documents that operators need; the others are about the source. */
export const releaseDocuments = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...[
    "start.md",
    "operating.md",
    "marking.md",
    "marking-commands.md",
    "propose.mjs",
    "your-words.md",
    "service.md",
    "settings.md",
    "database.md",
    "limits.md",
    "api.md",
    "scaling.md",
    "alerts.yml",
  ].map((name) => `docs/${name}`),
];

/** Removes the picture of the README, and turns links to files that a release lacks into their words. */
function withoutDeadLinks(text: string, file: string): string {
  const isDead = (target: string) =>
    !/^(https?:|#)/.test(target) &&
    !releaseDocuments.includes(path.join(path.dirname(file), target.replace(/#.*/, "")));
  return text
    .replace(/<picture>.*?<\/picture>\n+/s, "")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words, target) =>
      isDead(target) ? words : link,
    );
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
