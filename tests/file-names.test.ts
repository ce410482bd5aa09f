/** Names of files that the program writes. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { safeName, writeFiles } from "../app/server/requests/request-files.ts";
import { newFolder } from "./support/server.ts";

test("a long file name is cut to 200 bytes between characters, before a short ending", () => {
  assert.equal(safeName(`${"é".repeat(150)}.pdf`), `${"é".repeat(98)}.pdf`);
  assert.equal(safeName(`${"😀".repeat(60)}.docx`), `${"😀".repeat(48)}.docx`);
  assert.equal(safeName(`a.${"b".repeat(300)}`), `a.${"b".repeat(198)}`);
});

test("a file name is not hidden, no flag, no path and no name that a system reserves", () => {
  for (const [name, safe] of [
    [".pdf", "_.pdf"],
    ["..a.pdf", "_a.pdf"],
    ["-rf", "_-rf"],
    ["con.pdf", "_con.pdf"],
    ["NUL.b.pdf", "_NUL.b.pdf"],
    ["a/b.pdf", "a_b.pdf"],
    ['a:b*c?"d"<e>|f.txt', "a_b_c__d__e__f.txt"],
  ] as const)
    assert.equal(safeName(name), safe);
});

test("files are written beside whatever has their names, and not again", async (t) => {
  const folder = newFolder(t);
  symlinkSync("nowhere", path.join(folder, "a.txt"));
  // As long as the file that is to be written.
  writeFileSync(path.join(folder, "b.txt"), "theirs");
  mkdirSync(path.join(folder, "c.txt"));
  const files = ["a.txt", "b.txt", "c.txt", "c.txt", "con.txt"].map((name, id) => ({ id, name }));
  const store = {
    // The two that are named c.txt are equal, and both are written.
    readFile: async (id: number) => Buffer.from(`file ${id === 3 ? 2 : id}`),
  };
  const written = async () => {
    const names: string[] = [];
    for await (const file of writeFiles(store, files, folder)) names.push(path.basename(file.path));
    return names;
  };
  const names = ["a (2).txt", "b (2).txt", "c (2).txt", "c (3).txt", "_con.txt"];
  assert.deepEqual(await written(), names);
  assert.deepEqual(await written(), names);
  assert.equal(readFileSync(path.join(folder, "c (3).txt"), "utf8"), "file 2");
  assert.equal(readFileSync(path.join(folder, "b.txt"), "utf8"), "theirs");
});
