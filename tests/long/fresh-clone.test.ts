import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readyUrl } from "../../scripts/start-executable.ts";
import { isRunning } from "../support/is-running.ts";
import { newFolder, until } from "../support/server.ts";

const root = path.join(import.meta.dirname, "../..");

/** What a newcomer has: this machine's Node and npm, the oldest Node that works, or an npm that does not link the project's. */
const newcomers = [
  undefined,
  { node: "20.19.0", npm: "10.8.2" },
  { node: "22.12.0", npm: "10.9.0" },
  { node: "22.20.0", npm: "11.6.0" },
];

for (const tools of newcomers) {
  const name = tools ? `Node ${tools.node} with npm ${tools.npm}` : "this machine's Node and npm";
  test(`a fresh clone, ${name}: npm start installs, builds, reports both, and prints the address; the second start does neither; SIGTERM to npm ends the server${tools ? "; the checks run" : ""}`, async (t) => {
    const clone = path.join(newFolder(t), "clone");
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const env = { ...process.env, PORT: "0", PATH: pathOf(newFolder(t), tools) };
    const first = await start(clone, env);
    assert.match(first.output, /Installing packages/);
    assert.match(first.output, /Building the site/);
    const again = await start(clone, env);
    assert.doesNotMatch(again.output, /Installing|Building/);
    t.diagnostic(`first start ${first.seconds} s, second ${again.seconds} s`);
    if (tools) execFileSync("npm", ["run", "check"], { cwd: clone, env, stdio: "pipe" });
  });
}

test("a Node that is too old is told so before anything is installed", (t) => {
  const clone = path.join(newFolder(t), "clone");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const PATH = pathOf(newFolder(t), { node: "20.11.1", npm: "10.2.4" });
  const options = { cwd: clone, env: { ...process.env, PATH }, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("npm", ["start"], options);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /Rubricon needs Node 20\.19, 22\.12 or later to build\. This is 20\.11\.1\./,
  );
  assert.ok(!existsSync(path.join(clone, "node_modules")));
});

/** A PATH that begins with a Node and an npm of the registry, and lacks the project's Node. */
function pathOf(folder: string, tools?: { node: string; npm: string }): string {
  const projectBin = path.join(root, "node_modules/.bin");
  const folders = process.env.PATH!.split(path.delimiter);
  const withoutProject = folders.filter((one) => !one.startsWith(projectBin)).join(path.delimiter);
  if (!tools) return withoutProject;
  const unpack = (name: string) => {
    const to = path.join(folder, name.replace("@", "-"));
    mkdirSync(to);
    const [packed] = JSON.parse(
      execFileSync("npm", ["pack", "--json", name], { cwd: to, encoding: "utf8", stdio: "pipe" }),
    );
    execFileSync("tar", ["-xf", packed.filename], { cwd: to });
    return path.join(to, "package");
  };
  const node = path.join(unpack(`node-linux-${process.arch}@${tools.node}`), "bin/node");
  const cli = path.join(unpack(`npm@${tools.npm}`), "bin/npm-cli.js");
  const bin = path.join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(node, path.join(bin, "node"));
  const npm = `#!/bin/sh\nexec '${node}' '${cli}' "$@"\n`;
  writeFileSync(path.join(bin, "npm"), npm, { mode: 0o755 });
  return `${bin}${path.delimiter}${withoutProject}`;
}

async function start(clone: string, env: NodeJS.ProcessEnv) {
  const begin = Date.now();
  const child = spawn("npm", ["start"], { cwd: clone, env, stdio: "pipe", detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const url = await readyUrl(child);
  const seconds = Math.round((Date.now() - begin) / 100) / 10;
  try {
    assert.equal((await fetch(url)).status, 200);
  } finally {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
    await until(() => !isRunning(-child.pid!));
  }
  return { output, seconds };
}
