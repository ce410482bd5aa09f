import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { newFolder } from "../support/server.ts";

const root = path.join(import.meta.dirname, "../..");

test("a fresh clone: npm start installs, builds, says so, and prints the address; again in seconds", async (t) => {
  const clone = path.join(newFolder(t), "clone");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  // Without our own Node in front: a newcomer has only the machine's.
  const ours = path.join(root, "node_modules/.bin");
  const env = {
    ...process.env,
    PORT: "0",
    PATH: process.env
      .PATH!.split(path.delimiter)
      .filter((folder) => !folder.startsWith(ours))
      .join(path.delimiter),
  };
  const first = await start(clone, env);
  assert.match(first.said, /Installing packages/);
  assert.match(first.said, /Building the site/);
  const again = await start(clone, env);
  assert.doesNotMatch(again.said, /Installing|Building/);
  t.diagnostic(`first start ${first.seconds} s, second ${again.seconds} s`);
});

async function start(clone: string, env: NodeJS.ProcessEnv) {
  const begun = Date.now();
  const child = spawn("npm", ["start"], { cwd: clone, env, stdio: "pipe", detached: true });
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        said += chunk;
        const ready = /^Ready: (\S+)$/m.exec(said);
        if (ready) resolve(ready[1]!);
      });
    }
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}: ${said}`)));
  });
  const seconds = Math.round((Date.now() - begun) / 100) / 10;
  try {
    assert.equal((await fetch(address)).status, 200);
  } finally {
    child.removeAllListeners("exit");
    process.kill(-child.pid!, "SIGTERM");
    await once(child, "exit");
  }
  return { said, seconds };
}
