import assert from "node:assert/strict";
import { test } from "node:test";
import { drawStamps } from "../app/domain/stamp-drawing.ts";
import { outline } from "../scripts/hand/outline.ts";
import { characters, glyph } from "../scripts/hand/strokes.ts";

test("each character of the hand has an outline within its line", () => {
  for (const character of characters) {
    const { strokes, width } = glyph(character);
    assert.ok(width > 8 && width < 90, `${character} is ${width} wide`);
    const points = strokes.flatMap(outline);
    assert.ok(points.length > 5, `${character} has ${points.length} points`);
    for (const point of points) {
      assert.ok(point.y > -33 && point.y < 90, `${character} reaches ${point.y}`);
      assert.ok(point.x > -15 && point.x < width + 15, `${character} reaches ${point.x}`);
    }
  }
});

test("the point of a mark such as 21.25 and the colon of a time stand apart from their digits", () => {
  const reach = (character: string) => {
    const { strokes, width } = glyph(character);
    const xs = strokes
      .flatMap(outline)
      .filter(({ y }) => y < 12)
      .map(({ x }) => x);
    return { left: Math.min(...xs), right: width - Math.max(...xs) };
  };
  for (const sign of ".:") {
    const point = reach(sign);
    for (const digit of "0123456789") {
      const gaps = [reach(digit).right + point.left, point.right + reach(digit).left];
      assert.ok(Math.min(...gaps) > 8, `${digit}${sign}: ${gaps.map((gap) => gap.toFixed(1))}`);
    }
  }
});

test("letters, digits and the accents of South African languages can be written, others not", () => {
  const alphabet = "abcdefghijklmnopqrstuvwxyz";
  for (const character of `${alphabet}${alphabet.toUpperCase()}0123456789½✓áéèêëïîôóöûúüš`)
    assert.ok(characters.includes(character), character);
  assert.throws(() => glyph("ø"), /no strokes for ø/);
});

test("a long word of a stamp is broken between characters", () => {
  const place = { fileId: 1, page: 1, paragraph: null, x: 0.48, y: 0.5 };
  const text = "😀".repeat(40);
  const stamp = { id: 1, questionNumber: "1", kind: "comment" as const, text, ...place };
  const [drawn] = drawStamps([stamp], { width: 1000, height: 1400 }, 0);
  assert.deepEqual(
    drawn!.lines.map((line) => Array.from(line).length),
    [31, 9],
  );
  assert.equal(drawn!.lines.join(""), text);
});
