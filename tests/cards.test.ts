import assert from "node:assert/strict";
import { test } from "node:test";
import { card, height, maxTitleWidth, titleLines, width } from "../scripts/cards/card.ts";
import { advanceWidth, loadSvg } from "../scripts/cards/svg.ts";

/** Where each text may be, in pixels: right of the margin line, and the name below a gap. */
const [marginLine, left, right] = [140, 165, 1140];
const bands = {
  category: { top: 60, bottom: 110 },
  title: { top: 150, bottom: 538 },
  name: { top: 548, bottom: 610 },
};
/** Of all lines of a title, without what reaches below the last one. */
const maxTitleHeight = 370;

test("a short, a wide and a long title fit on their cards", () => {
  const titles = [
    "AI",
    "The Accuracy of AI in Exam Grading Compared to Human Graders",
    "How Rubricon Is Transforming AI in STEM Education: Four Answers, Marked Line by Line",
    "Assesseringsverantwoordelikhede & <more> of them, for every subject",
    "W".repeat(18),
    Array.from({ length: 24 }, () => "marking").join(" "),
  ];
  for (const title of titles) {
    const { lines, size, lead } = titleLines(title);
    assert.equal(lines.join(" "), title);
    for (const line of lines) assert.ok(advanceWidth(line) * size <= maxTitleWidth + 1, line);
    assert.ok(lines.length * lead <= maxTitleHeight, title);
    const svg = card({ name: "Rubricon", category: "Research & Analysis", title });
    const { pixels } = loadSvg(svg).render();
    // Ink and red have little green, paper and its ruling much.
    const isWritten = (x: number, y: number) => pixels[(y * width + x) * 4 + 1]! < 150;
    const written: [x: number, y: number][] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = marginLine; x < width; x += 1) if (isWritten(x, y)) written.push([x, y]);
    }
    const bandOf = (y: number) =>
      Object.entries(bands).find(([, { top, bottom }]) => y >= top && y <= bottom)?.[0];
    const used = new Set(written.map(([, y]) => bandOf(y)));
    assert.deepEqual([...used], Object.keys(bands), title);
    const strays = written.filter(([x]) => x < left || x > right);
    assert.deepEqual(strays.slice(0, 3), [], title);
  }
});

test("a title that is too long for a card is rejected", () => {
  assert.throws(
    () => titleLines(Array.from({ length: 60 }, () => "marking").join(" ")),
    /too long for a social card/,
  );
});
