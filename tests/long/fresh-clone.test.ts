import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { readyUrl } from "../../scripts/start-executable.ts";
import { isRunning } from "../support/is-running.ts";
import { newFolder, until } from "../support/server.ts";

const root = path.join(import.meta.dirname, "../..");

test("a fresh clone: npm start installs, builds, reports both, and prints the address; the second start does neither; SIGTERM to npm ends the server", async (t) => {
  const clone = path.join(newFolder(t), "clone");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  // Remove the project's Node from PATH: a newcomer has only the machine's.
  const projectBin = path.join(root, "node_modules/.bin");
  const env = {
    ...process.env,
    PORT: "0",
    PATH: process.env
      .PATH!.split(path.delimiter)
      .filter((folder) => !folder.startsWith(projectBin))
      .join(path.delimiter),
  };
  const first = await start(clone, env);
  assert.match(first.output, /Installing packages/);
  assert.match(first.output, /Building the site/);
  const again = await start(clone, env);
  assert.doesNotMatch(again.output, /Installing|Building/);
  t.diagnostic(`first start ${first.seconds} s, second ${again.seconds} s`);
});

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
