/**
 * The first step of `npm start` and `npm test`: installs what is missing and builds what is stale.
 * Plain JavaScript without dependencies, because it runs before anything is installed, under any Node.
 *
 *   node scripts/setup.mjs [--executable] [--browser]
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const wanted = new Set(process.argv.slice(2));

step({
  name: "install",
  saying: "Installing packages (once, about a minute)",
  from: ["package-lock.json"],
  makes: "node_modules/.bin/node",
  run: ["npm", "ci", "--loglevel=error"],
  withOurNode: false,
});
const builtFrom = [
  "package-lock.json",
  "app",
  "content",
  "db",
  "scripts",
  "server.ts",
  "vite.config.ts",
  "react-router.config.ts",
];
step({
  name: "build",
  saying: "Building the site",
  from: builtFrom,
  makes: "build/server/server.js",
  run: ["node", "scripts/build.ts"],
});
if (wanted.has("--executable")) {
  step({
    name: "package",
    saying: "Packaging the executable",
    from: builtFrom,
    makes: "dist/rubricon",
    run: ["node", "scripts/package.ts"],
  });
}
if (wanted.has("--browser")) run(["node", "scripts/find-browser.ts", "--install"]);

/** Runs a command unless it has run before on the very same files. */
function step({ name, saying, from, makes, run: command, withOurNode = true }) {
  const stamp = path.join(root, "node_modules/.cache/rubricon", name);
  const state = fingerprint(from);
  const done = existsSync(stamp) && readFileSync(stamp, "utf8") === state;
  if (done && existsSync(path.join(root, makes))) return;
  process.stderr.write(`${saying} …\n`);
  run(command, withOurNode);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

/** @param withOurNode false for what replaces node_modules, and the Node in it */
function run([program, ...args], withOurNode = true) {
  const ours = path.join(root, "node_modules/.bin") + path.delimiter;

  try {
    execFileSync(program, args, {
      cwd: root,
      // What a build prints is for stderr: stdout belongs to the program that is started next.
      stdio: ["ignore", 2, 2],
      env: { ...process.env, PATH: (withOurNode ? ours : "") + pathWithoutOurs(ours) },
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

/** npm has put our folder in front already. */
function pathWithoutOurs(ours) {
  return (process.env.PATH ?? "").replaceAll(ours, "");
}
