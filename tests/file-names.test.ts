/** Names of files that the program writes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { safeName } from "../app/server/requests/request-files.ts";

test("a long file name is cut to 200 bytes between characters, before a short ending", () => {
  assert.equal(safeName(`${"é".repeat(150)}.pdf`), `${"é".repeat(98)}.pdf`);
  assert.equal(safeName(`${"😀".repeat(60)}.docx`), `${"😀".repeat(48)}.docx`);
  assert.equal(safeName(`a.${"b".repeat(300)}`), `a.${"b".repeat(198)}`);
});

test("a file name is not hidden, no flag and no name that a system reserves", () => {
  for (const [name, safe] of [
    [".pdf", "_.pdf"],
    ["..a.pdf", "_a.pdf"],
    ["-rf", "_-rf"],
    ["con.pdf", "_con.pdf"],
    ["a/b.pdf", "a_b.pdf"],
  ] as const)
    assert.equal(safeName(name), safe);
});
