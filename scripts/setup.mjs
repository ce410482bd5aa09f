/**
 * The first step of `npm start` and `npm test`: installs what is missing and builds what is stale.
 * Plain JavaScript without dependencies, because it runs before anything is installed, under any
 * Node.
 *
 *   node scripts/setup.mjs [--executable] [--browser]
 *   node scripts/setup.mjs --packages     installs, and builds nothing
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const flags = new Set(process.argv.slice(2));

if (!isInstalled()) {
  process.stderr.write("Installing packages (once, about a minute) …\n");
  run(["npm", "ci"], false);
}
const buildInputs = [
  "package-lock.json",
  "LICENSE",
  "app",
  "content",
  "db",
  "scripts",
  "server.ts",
  "vite.config.ts",
  "react-router.config.ts",
];
if (!flags.has("--packages")) {
  step({
    name: "build",
    message: "Building the site",
    inputs: buildInputs,
    output: "build/server/server.js",
    run: ["node", "scripts/build.ts"],
  });
}
if (flags.has("--executable")) {
  step({
    name: "package",
    message: "Packaging the executable",
    inputs: buildInputs,
    output: "dist/rubricon",
    run: ["node", "scripts/package.ts"],
  });
}
if (flags.has("--browser")) run(["node", "scripts/find-browser.ts", "--install"]);

/** Compares node_modules, as npm has recorded it, with the lock file. */
function isInstalled() {
  const packagesOf = (file) =>
    existsSync(path.join(root, file))
      ? JSON.parse(readFileSync(path.join(root, file), "utf8")).packages
      : {};
  const { "": _project, ...locked } = packagesOf("package-lock.json");
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(locked).every(([name, { integrity, optional, devOptional }]) =>
    // Optional ones may be for other systems.
    installed[name] ? installed[name].integrity === integrity : optional || devOptional,
  );
}

/** Runs a command unless its inputs are unchanged since its last run and its output exists. */
function step({ name, message, inputs, output, run: command }) {
  const stamp = path.join(root, "node_modules/.cache/rubricon", name);
  const state = fingerprint(inputs);
  const isUpToDate = existsSync(stamp) && readFileSync(stamp, "utf8") === state;
  if (isUpToDate && existsSync(path.join(root, output))) return;
  process.stderr.write(`${message} …\n`);
  run(command);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

/** @param useProjectNode false for a command that replaces node_modules, and the Node in it */
function run([program, ...args], useProjectNode = true) {
  const projectBin = path.join(root, "node_modules/.bin") + path.delimiter;
  try {
    execFileSync(program, args, {
      cwd: root,
      // Build output goes to stderr: stdout belongs to the program that is started next.
      stdio: ["ignore", 2, 2],
      env: { ...process.env, PATH: (useProjectNode ? projectBin : "") + pathWithout(projectBin) },
    });
  } catch (error) {
    process.stderr.write(`Failed: ${[program, ...args].join(" ")}\n`);
    process.exit(error.status || 1);
  }
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

/** Returns PATH without an entry, which npm may have put in front already. */
function pathWithout(entry) {
  return (process.env.PATH ?? "").replaceAll(entry, "");
}
