import assert from "node:assert/strict";
import { test } from "node:test";
import { card, height, maxTitleWidth, titleLines, width } from "../scripts/cards/card.ts";
import { advanceWidth, loadSvg } from "../scripts/cards/svg.ts";

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
    assert.ok(lines.length * lead <= 370, title);
    const svg = card({ name: "Rubricon", category: "Research & Analysis", title });
    const { pixels } = loadSvg(svg).render();
    const isWritten = (x: number, y: number) => pixels[(y * width + x) * 4 + 1]! < 150;
    const written: [x: number, y: number][] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 140; x < width; x += 1) if (isWritten(x, y)) written.push([x, y]);
    }
    assert.ok(written.length > 2000, title);
    const strays = written.filter(([x, y]) => x < 165 || x > 1140 || y < 60 || y > 610);
    assert.deepEqual(strays.slice(0, 3), [], title);
    // The space between the title and the name is empty.
    assert.ok(!written.some(([, y]) => y > 538 && y < 548), title);
  }
});

test("a title that is too long for a card is rejected", () => {
  assert.throws(
    () => titleLines(Array.from({ length: 60 }, () => "marking").join(" ")),
    /too long for a social card/,
  );
});
