/** The order in the style sheets: tokens, elements, parts, and the pages that use them. */
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

test("the style sheets use the fixed breakpoints and widths alone", () => {
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

test("a class is styled by one page, or is a part", () => {
  const byClass = new Map<string, Set<string>>();
  for (const { file, css } of sheets) {
    if (!file.startsWith("pages/")) continue;
    for (const [, selectors] of css.matchAll(/([^{}]+)\{/g))
      for (const name of styledClasses(selectors!))
        byClass.set(name, (byClass.get(name) ?? new Set()).add(file));
  }
  assert.ok(byClass.size > 50, "the classes were found");
  const parts = new Set(
    sheets
      .filter(({ file }) => !file.startsWith("pages/"))
      .flatMap(({ css }) => [...css.matchAll(/([^{}]+)\{/g)])
      .flatMap(([, selectors]) => styledClasses(selectors!)),
  );
  const wrong = [...byClass]
    .filter(([name, files]) => files.size > 1 && !parts.has(name))
    .map(([name, files]) => `.${name}: ${[...files].join(", ")}`);
  assert.deepEqual(wrong, []);
});

test("a part is defined in one file", () => {
  const byClass = new Map<string, Set<string>>();
  for (const { file, css } of sheets) {
    for (const [, selectors] of css.matchAll(/([^{}]+)\{/g))
      for (const selector of splitSelectors(selectors!)) {
        const name = /^\.([a-z][\w-]*)$/.exec(selector.trim())?.[1];
        if (name) byClass.set(name, (byClass.get(name) ?? new Set()).add(file));
      }
  }
  assert.ok(byClass.size > 50, "the classes were found");
  const wrong = [...byClass]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `.${name}: ${[...files].join(", ")}`);
  assert.deepEqual(wrong, []);
});

/** The classes of the elements that selectors apply to: of `.a .b > c.d:has(.e)` only `d`. */
function styledClasses(selectors: string): string[] {
  return splitSelectors(selectors).flatMap((selector) => {
    const last = selector
      .replace(/:(?:has|not)\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "")
      .trim()
      .split(/[\s>+~]+(?![^(]*\))/)
      .at(-1)!;
    return [...last.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!);
  });
}

const splitSelectors = (selectors: string) => selectors.split(/,(?![^(]*\))/);
