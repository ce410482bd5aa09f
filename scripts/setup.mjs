/**
 * The first step of `npm start` and `npm test`: installs what is missing and builds what is stale.
 * Plain JavaScript without dependencies, because it runs before anything is installed, under any
 * Node. A Node that is too old gets an error message.
 *
 *   node scripts/setup.mjs [--executable] [--browser]
 *   node scripts/setup.mjs --packages     installs, and builds nothing
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

checkVersion();
const root = path.join(import.meta.dirname, "..");
const { projectNode } = await import("./project-node.mjs");
const flags = new Set(process.argv.slice(2));

if (!isInstalled()) {
  process.stderr.write("Installing packages (once, a minute or two) …\n");
  run("npm", "ci");
}
checkProjectNode();
const buildInputs = [
  "package-lock.json",
  "LICENSE",
  "app",
  "content",
  "db",
  "docs/marking.md",
  "scripts",
  "server.ts",
  "vite.config.ts",
  "react-router.config.ts",
];
if (!flags.has("--packages")) {
  step("build", "Building the site", "build/server/server.js");
}
if (flags.has("--executable")) {
  step("package", "Packaging the executable", "dist/rubricon");
}
if (flags.has("--browser")) run(projectNode, "scripts/find-browser.ts", "--install");

/** Compares node_modules, as npm has recorded it, with the lock file. */
function isInstalled() {
  const packagesOf = (file) =>
    existsSync(path.join(root, file))
      ? JSON.parse(readFileSync(path.join(root, file), "utf8")).packages
      : {};
  const { "": _project, ...locked } = packagesOf("package-lock.json");
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(locked).every(([name, { integrity, optional, devOptional }]) =>
    // Optional packages may be for other systems, so they may be missing.
    installed[name] ? installed[name].integrity === integrity : optional || devOptional,
  );
}

/** Runs scripts/NAME.ts, unless the inputs are unchanged since its last run and the output exists. */
function step(name, message, output) {
  const stamp = path.join(root, "node_modules/.cache/rubricon", name);
  const state = fingerprint(buildInputs);
  const isUpToDate = existsSync(stamp) && readFileSync(stamp, "utf8") === state;
  if (isUpToDate && existsSync(path.join(root, output))) return;
  process.stderr.write(`${message} …\n`);
  run(projectNode, `scripts/${name}.ts`);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

function run(program, ...args) {
  try {
    execFileSync(program, args, {
      cwd: root,
      // Build output goes to stderr: stdout belongs to the program that is started next.
      stdio: ["ignore", 2, 2],
      // With node_modules/.bin in PATH, npm would run on the Node that it replaces.
      env: { ...process.env, PATH: pathWithout(path.join(root, "node_modules/.bin")) },
    });
  } catch (error) {
    fail(`Failed: ${[program, ...args].join(" ")}`, error.status);
  }
}

function fail(sentence, status) {
  process.stderr.write(`${sentence}\n`);
  process.exit(status || 1);
}

/** Ends the program if its Node is too old: npm would leave out parts of the bundler that this machine needs. */
function checkVersion() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (isNewEnough) return;
  fail(`Rubricon needs Node 20.19, 22.12 or later to build. This is ${process.versions.node}.`);
}

/** Ends the program with a sentence if the project's Node cannot run, for example on a minimal system. */
function checkProjectNode() {
  if (!projectNode) {
    const system = `${process.platform} on ${process.arch}`;
    fail(
      `Rubricon builds on Linux (x64, arm64) and on macOS with Apple silicon. This is ${system}.`,
    );
  }
  const { status, stderr, error } = spawnSync(projectNode, ["--version"], { encoding: "utf8" });
  if (status === 0) return;
  const missing = /libatomic\.so/.test(stderr);
  fail(
    missing
      ? "The project’s Node needs the library libatomic (Debian: apt-get install libatomic1)."
      : `The project’s Node does not start: ${stderr || error?.message}\nDelete node_modules, and try again.`,
  );
}

function fingerprint(names) {
  const hash = createHash("sha256");
  for (const file of names.flatMap(filesUnder))
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

function filesUnder(name) {
  const full = path.join(root, name);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [name];
  return readdirSync(full)
    .sort()
    .flatMap((entry) => filesUnder(path.join(name, entry)));
}

/** Returns PATH without a folder, which npm may have put in front. */
function pathWithout(folder) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.filter((one) => one !== folder).join(path.delimiter);
}
