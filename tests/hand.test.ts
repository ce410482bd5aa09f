import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { outline } from "../scripts/hand/outline.ts";
import { characters, glyph } from "../scripts/hand/strokes.ts";

const fonts = path.join(import.meta.dirname, "../.cache/fonts");

test("the hand is a font of 8 to 10 kB, and all fonts together have at most 60 kB", () => {
  const hand = readFileSync(path.join(fonts, "hand.woff2"));
  assert.equal(hand.toString("latin1", 0, 4), "wOF2");
  assert.ok(hand.length >= 8_000 && hand.length <= 10_000, `${hand.length} bytes`);
  const sizes = globSync("*.woff2", { cwd: fonts }).map(
    (file) => statSync(path.join(fonts, file)).size,
  );
  assert.equal(sizes.length, 5);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 60_000, String(sizes));
});

test("each character of the hand is drawn within its line, and its outline is closed and finite", () => {
  for (const character of characters) {
    const { strokes, width } = glyph(character);
    assert.ok(width > 8 && width < 90, `${character} is ${width} wide`);
    for (const point of strokes.flatMap(outline)) {
      assert.ok(point.y > -33 && point.y < 90, `${character} reaches ${point.y}`);
      assert.ok(point.x > -15 && point.x < width + 15, `${character} reaches ${point.x}`);
    }
  }
});

test("letters, digits and the accents of South African languages can be written; other characters cannot", () => {
  for (const character of "azAZ09½✓ê") assert.ok(characters.includes(character));
  assert.throws(() => glyph("ø"), /no strokes for ø/);
});
