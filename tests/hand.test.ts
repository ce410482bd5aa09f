import assert from "node:assert/strict";
import { test } from "node:test";
import { drawStamps } from "../app/domain/stamp-drawing.ts";
import { outline } from "../scripts/hand/outline.ts";
import { characters, glyph } from "../scripts/hand/strokes.ts";

/** Hundredths of an em, as in scripts/hand: the line of the font, its em, the pen, and how far a tail or slope may reach. */
const [ascent, descent, em, pen, overhang] = [90, -30, 90, 7.2, 15];

test("each character of the hand has an outline within its line", () => {
  for (const character of characters) {
    const { strokes, width } = glyph(character);
    assert.ok(width > pen && width < em, `${character} is ${width} wide`);
    const points = strokes.flatMap(outline);
    assert.ok(points.length > 5, `${character} has ${points.length} points`);
    for (const { x, y } of points) {
      assert.ok(y > descent && y < ascent, `${character} reaches ${y}`);
      assert.ok(x > -overhang && x < width + overhang, `${character} reaches ${x}`);
    }
  }
});

test("the point of a mark such as 21.25 and the colon of a time stand apart from their digits", () => {
  /** The space beside a character at the height of a point on the line. */
  const spaceBeside = (character: string) => {
    const { strokes, width } = glyph(character);
    const atPoint = strokes.flatMap(outline).filter(({ y }) => y < 12);
    const xs = atPoint.map(({ x }) => x);
    return { left: Math.min(...xs), right: width - Math.max(...xs) };
  };
  for (const sign of ".:") {
    const point = spaceBeside(sign);
    for (const digit of "0123456789") {
      const gaps = [spaceBeside(digit).right + point.left, point.right + spaceBeside(digit).left];
      assert.ok(Math.min(...gaps) > pen, `${digit}${sign}: ${gaps.map((gap) => gap.toFixed(1))}`);
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
  // Of 1,000 units 520 are to the right of it, without margins of 48 in all: 31 characters of 15.
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
