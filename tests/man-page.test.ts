import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { newFolder, runCommand } from "./support/server.ts";

/** Formats a manual page as a terminal shows it, with bold and underlines removed. */
function format(t: TestContext, page: string): string {
  const file = path.join(newFolder(t), "rubricon.1");
  writeFileSync(file, page);
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", MANWIDTH: "200", MANROFFOPT: "-ww -c" };
  const { status, stdout, stderr } = spawnSync("man", ["-P", "cat", "--warnings", "-l", file], {
    encoding: "utf8",
    env,
  });
  assert.equal(stderr, "");
  assert.equal(status, 0);
  return execFileSync("col", ["-bx"], { input: stdout, encoding: "utf8", env });
}

test("the manual page names every command, option and setting, and is formatted without a warning", {
  skip: spawnSync("man", ["--version"]).error && "there is no man here",
}, async (t) => {
  const folder = newFolder(t);
  const run = async (...args: string[]) => (await runCommand(folder, args)).out;
  const text = format(t, await run("man"));
  const listed = (help: string) =>
    [...help.slice(help.indexOf("\nCommands:")).matchAll(/^ {2}([\w-]+) /gm)].map(
      ([, name]) => name!,
    );
  const commands = listed(await run("--help")).filter((name) => name !== "help");
  assert.ok(commands.length > 15);
  for (const name of commands) {
    const help = await run("help", name);
    for (const line of help.trim().split("\n")) assert.ok(text.includes(line.trim()), line);
    for (const part of listed(help).filter((one) => one !== "help")) {
      assert.match(text, new RegExp(`^rubricon ${name} ${part}$`, "m"));
    }
  }
  const options = (await run("help", "results", "import")).trim().split("\n");
  for (const line of options) assert.ok(text.includes(line.trim()), line);
  assert.doesNotMatch(text, /^help$/m, "each section names the whole command");
  for (const line of (await run("help", "settings")).trim().split("\n")) {
    assert.ok(text.includes(line.trim()), line);
  }
  for (const code of [0, 1, 2, 75, 78]) assert.match(text, new RegExp(`^ {7}${code} `, "m"));
  assert.match(text, /\/etc\/rubricon\/rubricon\.env/);
});
