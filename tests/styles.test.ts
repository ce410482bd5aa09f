/** The breakpoints and widths of the style sheets. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const folder = path.join(import.meta.dirname, "../app/styles");
const sheets = globSync("**/*.css", { cwd: folder }).map((file) => ({
  file,
  css: readFileSync(path.join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, ""),
}));

/** The marking desk has one more: below it, a page of a script leaves no room for the question beside it. */
const breakpoints = (file: string) => [
  "44rem",
  "60rem",
  "105rem",
  ...(file === "pages/marking-desk.css" ? ["75rem"] : []),
];

test("the style sheets use only the fixed breakpoints, and no width of 30rem or more", () => {
  const wrong: string[] = [];
  assert.ok(sheets.length > 20, "the style sheets were found");
  for (const { file, css } of sheets) {
    for (const [query] of css.matchAll(/@media[^{]+/g))
      for (const [, width] of query.matchAll(/width\s*[:<>=]+\s*([\d.]+\w+)/g))
        if (!breakpoints(file).includes(width!)) wrong.push(`${file}: ${query.trim()}`);
    for (const [rule, width] of css.matchAll(/^\s*(?:max-)?width: (?:min\(.*?)?([\d.]+)rem/gm))
      if (Number(width) >= 30) wrong.push(`${file}: ${rule}`);
  }
  assert.deepEqual(wrong, []);
});
