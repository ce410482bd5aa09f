/**
 * Makes an executable for Linux: the program and its worker threads with the files that they read, the client's assets
 * and SQLite's native addon, inside a copy of the project's Node.
 *
 *   node scripts/package.ts [x64|arm64] [OUTPUT]      default: x64 into dist/rubricon
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { build } from "rolldown";
import { program } from "../app/brand.ts";
import { scriptCharacters, scriptFonts } from "../app/desk/script-fonts.ts";
import { wasmFiles } from "../app/desk/wasm.ts";
import { threads } from "../db/thread.ts";
import lock from "../package-lock.json" with { type: "json" };
import { buildVersion } from "./commit.ts";

const root = path.join(import.meta.dirname, "..");
const work = path.join(root, "build/package");
const staging = path.join(work, "staging");
const gnuNames: Record<string, string> = { x64: "x86-64", arm64: "aarch64" };
const [arch = "x64", output = path.join(root, "dist", program.command)] = process.argv.slice(2);

const bundles = ["server", ...Object.keys(threads)];

rmSync(work, { recursive: true, force: true });
mkdirSync(path.join(staging, "server"), { recursive: true });
mkdirSync(path.dirname(output), { recursive: true });

await build({
  input: bundles.map((name) => path.join(root, `build/server/${name}.js`)),
  platform: "node",
  output: {
    dir: path.join(staging, "server"),
    format: "cjs",
    // One file for each part that a command may load, or every command would parse the website.
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: true,
    comments: false,
  },
});
const scripts = readdirSync(path.join(staging, "server"));
for (const script of scripts) toAscii(path.join(staging, "server", script));
cpSync(path.join(root, "build/client/assets"), path.join(staging, "client/assets"), {
  recursive: true,
  // pkg cannot pack empty files; React Router emits one for a route without a component.
  filter: (file) => statSync(file).isDirectory() || statSync(file).size > 0,
});
copyFileSync(
  path.join(root, "node_modules/better-sqlite3", "prebuilds", `linux-${arch}.node`),
  path.join(staging, "server/better_sqlite3.node"),
);
const files = ["licenses.txt", ...Object.keys(wasmFiles), ...scriptFonts, scriptCharacters];
for (const file of files) {
  copyFileSync(path.join(root, "build/server", file), path.join(staging, "server", file));
}
writeFileSync(
  path.join(staging, "package.json"),
  JSON.stringify({
    name: program.command,
    version: buildVersion(),
    bin: "server/server.cjs",
    pkg: {
      // The cache is for the loader that starts the program. Node rejects a cache made on another architecture.
      seaConfig: { useCodeCache: arch === process.arch },
      assets: [
        "client/**/*",
        "server/better_sqlite3.node",
        ...[...files, ...scripts].map((file) => `server/${file}`),
      ],
    },
  }),
);

// Put our Node into pkg's cache, so that pkg does not download one.
const version = process.version.slice(1);
const target = `node-v${version}-linux-${arch}`;
const cache = path.join(work, ".pkg-cache/sea");
mkdirSync(path.join(cache, target, "bin"), { recursive: true });
const cachedNode = path.join(cache, target, "bin/node");
copyFileSync(nodeFor(arch), cachedNode);
chmodSync(cachedNode, 0o755);
stripSymbols(cachedNode);
for (const marker of [`${target}/bin/node.ok`, `${target}.tar.gz`, `${target}.tar.gz.ok`]) {
  writeFileSync(path.join(cache, marker), "");
}
const pkg = spawnSync(
  process.execPath,
  [
    path.join(root, "node_modules/@yao-pkg/pkg/lib-es5/bin.js"),
    ".",
    "--sea",
    "-t",
    `node${version}-linux-${arch}`,
    "-o",
    path.resolve(output),
  ],
  { cwd: staging, encoding: "utf8", env: { ...process.env, HOME: work, TMPDIR: "/tmp" } },
);
// pkg also warns about `require` calls that the program resolves itself, so its output is only shown on failure.
if (pkg.status !== 0) throw new Error(`pkg failed:\n${pkg.stdout}${pkg.stderr}`);
makeReproducible(path.resolve(output));
startWithoutHome(path.resolve(output));
rmSync(work, { recursive: true });

/**
 * Overwrites the random part of the path of pkg's temporary folder, so that two builds of one commit are the same. Node
 * keeps this path in the executable, as part of the name of the main script.
 */
function makeReproducible(file: string): void {
  const bytes = readFileSync(file);
  const folder = /\/pkg-sea-(\w{6})\//.exec(bytes.toString("latin1"));
  if (!folder)
    throw new Error(
      "pkg's temporary folder is no longer in the executable; remove makeReproducible.",
    );
  bytes.write("000000", folder.index + "/pkg-sea-".length, "latin1");
  writeFileSync(file, bytes);
}

/**
 * Replaces pkg's look-up of the home folder: under an account without a home, it would fail at the start. pkg would
 * keep native addons in that folder, but the program loads its addon itself.
 */
function startWithoutHome(file: string): void {
  const bytes = readFileSync(file);
  const call = 'path.join(homedir(), ".cache")';
  // It is as long as the call, because what follows the call in the executable must stay where it is.
  const constant = 'path.join("/none", ".cache")'.padEnd(call.length);
  let count = 0;
  for (let at = bytes.indexOf(call); at >= 0; at = bytes.indexOf(call, at)) {
    bytes.write(constant, at, "latin1");
    count += 1;
  }
  if (count === 0)
    throw new Error("pkg no longer asks for the home folder; remove startWithoutHome.");
  writeFileSync(file, bytes);
}

/**
 * Replaces all non-ASCII characters by \u escapes. The bundler leaves them as they are, and a single one outside
 * Latin-1 makes V8 store a whole file (up to 1 MB) with two bytes per character.
 * @throws Error if a backslash precedes such a character, because the escape would mean something else
 */
function toAscii(file: string): void {
  const source = readFileSync(file, "utf8");
  const escaped = /.{0,40}\\[\u0080-\uffff]/.exec(source);
  if (escaped)
    throw new Error(`${file} has a backslash before a non-ASCII character: ${escaped[0]}`);
  const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, source.replace(/[\u0080-\uffff]/g, unicodeEscape));
}

/**
 * Returns the path of Node for an architecture. npm installs Node for this machine only; for another architecture,
 * Node is downloaded from the registry and checked against the lock file.
 */
function nodeFor(arch: string): string {
  const installed = path.join(root, `node_modules/node-linux-${arch}/bin/node`);
  if (existsSync(installed)) return installed;
  const name = `node-linux-${arch}`;
  const locked: Record<string, { version?: string; integrity?: string }> = lock.packages;
  const { version, integrity } = locked[`node_modules/${name}`]!;
  const folder = path.join(root, ".cache", `${name}-${version}`);
  const node = path.join(folder, "package/bin/node");
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  execFileSync("npm", ["pack", "--silent", `${name}@${version}`], { cwd: folder });
  const archive = path.join(folder, `${name}-${version}.tgz`);
  const digest = createHash("sha512").update(readFileSync(archive)).digest("base64");
  if (`sha512-${digest}` !== integrity)
    throw new Error(`${archive} does not match its checksum in package-lock.json.`);
  execFileSync("tar", ["-xzf", archive, "package/bin/node"], { cwd: folder });
  rmSync(archive);
  return node;
}

/** Removes symbols, about 30 MB. If `strip` cannot be run, only prints a warning. */
function stripSymbols(file: string): void {
  const strip = process.arch === arch ? "strip" : `${gnuNames[arch]}-linux-gnu-strip`;
  try {
    execFileSync(strip, [file], { stdio: "ignore" });
  } catch {
    process.stderr.write(
      `\`${strip}\` could not be run, so the executable is about 30 MB larger. Install binutils to avoid this.\n`,
    );
  }
}
