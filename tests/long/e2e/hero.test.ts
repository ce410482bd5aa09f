import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { startServer } from "../../support/server.ts";

after(closeBrowser);

test("the hero is on a phone's first screen, moves for six seconds at most, and not under reduced motion", async (t) => {
  const server = await startServer(t);
  const animations = async (reducedMotion: "reduce" | "no-preference") => {
    const page = await openPage(t, { reducedMotion, viewport: { width: 360, height: 740 } });
    await page.goto(server.url);
    const script = page.locator(".hero .marked-script");
    const { y, height } = (await script.boundingBox())!;
    assert.ok(y + height / 2 <= 740, "the learner's answers are on a phone's first screen");
    return page.locator(".marking > *").evaluateAll((strokes) =>
      strokes.map((stroke) => {
        const style = getComputedStyle(stroke);
        const { animationName: name, animationIterationCount: times } = style;
        const end =
          Number.parseFloat(style.animationDelay) + Number.parseFloat(style.animationDuration);
        return { name, times, end };
      }),
    );
  };
  const finished = await animations("reduce");
  assert.equal(finished.length, 12);
  assert.ok(finished.every(({ name }) => name === "none"));
  const played = await animations("no-preference");
  assert.equal(played.length, 12);
  for (const { name, times, end } of played) {
    assert.match(name, /^(write|draw)$/);
    assert.equal(times, "1");
    assert.ok(end <= 6, `${end} s`);
  }
});
