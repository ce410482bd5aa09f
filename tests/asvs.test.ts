import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { column } from "./support/columns.ts";

const root = path.join(import.meta.dirname, "..");
const page = readFileSync(path.join(root, "docs/asvs.md"), "utf8");

/** ASVS 5.0.0: each section with the levels of its requirements, in order. */
const sections = `
  1.1 22   1.2 1111122223   1.3 112222222223   1.4 222   1.5 123
  2.1 122   2.2 112   2.3 12223   2.4 23
  3.1 3   3.2 113   3.3 12223   3.4 11222233   3.5 11122333   3.6 3   3.7 22333
  4.1 12233   4.2 23333   4.3 22   4.4 1222
  5.1 2   5.2 112333   5.3 113   5.4 222
  6.1 122   6.2 111111112222   6.3 11223333   6.4 112233   6.5 22222333   6.6 2223   6.7 33   6.8 2222
  7.1 222   7.2 1111   7.3 22   7.4 11222   7.5 223   7.6 22
  8.1 1233   8.2 1123   8.3 133   8.4 23
  9.1 111   9.2 1222
  10.1 22   10.2 223   10.3 22223   10.4 1111122222233333   10.5 22222   10.6 22   10.7 222
  11.1 2233   11.2 22233   11.3 11233   11.4 1222   11.5 23   11.6 23   11.7 33
  12.1 12233   12.2 11   12.3 22223
  13.1 2333   13.2 222223   13.3 2233   13.4 1222233
  14.1 22   14.2 12223333   14.3 122
  15.1 12233   15.2 12233   15.3 1222222   15.4 3333
  16.1 2   16.2 22222   16.3 2222   16.4 222   16.5 2223
  17.1 23   17.2 22223333   17.3 22`;

const requirements = [...sections.matchAll(/(\d+\.\d+) (\d+)/g)]
  .flatMap(([, section, levels]) =>
    [...levels!].map((level, index) => ({ id: `V${section}.${index + 1}`, level })),
  )
  .filter(({ level }) => level !== "3");
const indexOf = (id: string) => requirements.findIndex((one) => one.id === id);

const rows = page
  .split("\n")
  .filter((line) => /^\| V\d/.test(line))
  .map((line) => {
    const [ids = "", level = "", , how = "", ...more] = line.slice(2, -2).split(" | ");
    assert.ok(how && more.length === 0, `four cells: ${line}`);
    const [first = "", last = first] = ids.split(" to ");
    for (const id of [first, last]) assert.notEqual(indexOf(id), -1, `${id} is of level 1 or 2`);
    const covered = requirements.slice(indexOf(first), indexOf(last) + 1);
    return { ids, level, how, covered };
  });

test("each of the 253 requirements of levels 1 and 2 is in docs/asvs.md once, with its level", () => {
  assert.equal(requirements.length, 253);
  const inChapters = rows
    .flatMap(({ covered }) => covered)
    .sort((a, b) => indexOf(a.id) - indexOf(b.id));
  assert.deepEqual(
    column(inChapters, "id"),
    requirements.map(({ id }) => id),
  );
  for (const { ids, level, covered } of rows) {
    const levels = [...new Set(covered.map((one) => one.level))].sort();
    assert.equal(level, levels.join(", "), ids);
  }
});

test("the summary of docs/asvs.md lists the same open requirements as its rows", () => {
  const [, listed] = /^Open are: ([^.]*(?:\.\d[^.]*)*)\.$/m.exec(page)!;
  const open = rows.filter(({ how }) => how.includes("**Open**")).map(({ ids }) => ids);
  assert.deepEqual(listed!.split(/,\s+/), open);
  for (const { ids, how } of rows)
    assert.ok(!how.includes("**Open**") || how.startsWith("**Open**"), `${ids}: begins with Open`);
});

test("every file of tests that docs/asvs.md names exists", () => {
  const files = new Set([...page.matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) => file!));
  assert.ok(files.size > 20, "the files were found");
  for (const file of files) assert.ok(existsSync(path.join(root, file)), file);
});
