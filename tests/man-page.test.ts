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
  const [{ out: page }, { out: fish }, { out: help }] = await Promise.all([
    runCommand(folder, ["man"]),
    runCommand(folder, ["completion", "fish"]),
    runCommand(folder, ["help"]),
  ]);
  const text = format(t, page);
  const commands = [...fish.matchAll(/__rubricon_at '([^']*)'" -f -a ([\w-]+) -d/g)];
  assert.ok(commands.length > 35);
  for (const [, parent, name] of commands) {
    assert.match(text, new RegExp(`^ {3}rubricon${parent} ${name}( |$)`, "m"));
  }
  const options = new Set(
    [...fish.matchAll(/^complete -c \S+ (?:-n "[^"]*" )?-l ([\w-]+)/gm)].map(
      ([, option]) => option,
    ),
  );
  assert.ok(options.size > 50);
  for (const option of options) assert.match(text, new RegExp(`^ +(-\\w, )?--${option}\\b`, "m"));
  const settings = help.slice(help.indexOf("\nServer:")).matchAll(/^ {2}--([\w-]+) </gm);
  for (const [, flag] of settings) {
    const variable = `RUBRICON_${flag!.toUpperCase().replaceAll("-", "_")}`;
    assert.match(text, new RegExp(`^ +--${flag} <[^>]*>, ${variable}$`, "m"));
  }
  for (const code of [0, 1, 2, 75, 78]) assert.match(text, new RegExp(`^ {7}${code} `, "m"));
  assert.match(text, /^ {3}rubricon requests list\n {7}List the requests/m);
  assert.match(text, /\/etc\/rubricon\/rubricon\.env/);
});
