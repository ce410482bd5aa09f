import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

test("the hero moves for six seconds at most, and not under reduced motion", async (t) => {
  const server = await sharedServer();
  const animations = async (reducedMotion: "reduce" | "no-preference") => {
    const page = await openPage(t, { reducedMotion, viewport: { width: 360, height: 740 } });
    await page.goto(server.url);
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
  for (const { name, times, end } of played) {
    assert.match(name, /^(write|draw)$/);
    assert.equal(times, "1");
    assert.ok(end <= 6, `${end} s`);
  }
});
