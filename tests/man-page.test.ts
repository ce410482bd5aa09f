import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { newFolder, runCommand } from "./support/server.ts";

const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", MANWIDTH: "200", MANROFFOPT: "-ww -c" };
const skip = spawnSync("man", ["--version"]).error && "there is no man here";

const run = async (...args: string[]) => (await runCommand(newFolder(wholeFile), args)).out;

/** What man says of the manual page: it as a terminal shows it, and warnings. */
const formatted = once(async () => {
  const file = path.join(newFolder(wholeFile), "rubricon.1");
  writeFileSync(file, await run("man"));
  return spawnSync("man", ["-P", "cat", "--warnings", "-l", file], { encoding: "utf8", env });
});

/** The manual page with bold and underlines removed. */
const text = once(async () => {
  const { stdout } = await formatted();
  return execFileSync("col", ["-bx"], { input: stdout, encoding: "utf8", env });
});

/** Asserts that the manual page has every line of a help text. */
async function assertHasLines(help: string): Promise<void> {
  const page = await text();
  for (const line of help.trim().split("\n")) assert.ok(page.includes(line.trim()), line);
}

/** The names of commands that a help text lists. */
const commandsIn = (help: string) =>
  [...help.slice(help.indexOf("\nCommands:")).matchAll(/^ {2}([\w-]+) /gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== "help");

test("the manual page is formatted without a warning", { skip }, async () => {
  const { status, stderr } = await formatted();
  assert.deepEqual([status, stderr], [0, ""]);
});

test("the manual page has a section for every command", { skip }, async () => {
  const commands = commandsIn(await run("--help"));
  assert.ok(commands.length > 15);
  for (const name of commands) assert.match(await text(), new RegExp(`^rubricon ${name}$`, "m"));
  assert.doesNotMatch(await text(), /^help$/m, "each section names the whole command");
});

test("the manual page has the help and the commands of a group", { skip }, async () => {
  const help = await run("help", "results");
  await assertHasLines(help);
  const parts = commandsIn(help);
  assert.ok(parts.includes("import"));
  for (const part of parts) {
    assert.match(await text(), new RegExp(`^rubricon results ${part}$`, "m"));
  }
  await assertHasLines(await run("help", "results", "import"));
});

test("the manual page has every setting and exit code", { skip }, async () => {
  await assertHasLines(await run("help", "settings"));
  assert.match(await text(), /\/etc\/rubricon\/rubricon\.env/);
  for (const code of [0, 1, 2, 75, 78])
    assert.match(await text(), new RegExp(`^ {7}${code} `, "m"));
});
