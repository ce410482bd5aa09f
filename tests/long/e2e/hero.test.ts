import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

/** Opens home on a phone; returns how each stroke of the hero is animated. */
async function strokesOf(t: TestContext, reducedMotion: "reduce" | "no-preference") {
  const page = await openPage(t, { reducedMotion, viewport: { width: 360, height: 740 } });
  await page.goto((await sharedServer()).url);
  const strokes = await page.locator(".marking > *").evaluateAll((strokes) =>
    strokes.map((stroke) => {
      const style = getComputedStyle(stroke);
      const { animationName: name, animationIterationCount: times } = style;
      const end =
        Number.parseFloat(style.animationDelay) + Number.parseFloat(style.animationDuration);
      return { name, times, end };
    }),
  );
  assert.equal(strokes.length, 12);
  return { page, strokes };
}

test("the upper half of the hero's script is on a phone's first screen", async (t) => {
  const { page } = await strokesOf(t, "no-preference");
  const { y, height } = (await page.locator(".hero .marked-script").boundingBox())!;
  assert.ok(y + height / 2 <= 740, `from ${y}, ${height} high`);
});

test("the hero moves once, for six seconds at most", async (t) => {
  const { strokes } = await strokesOf(t, "no-preference");
  for (const { name, times, end } of strokes) {
    assert.match(name, /^(write|draw)$/);
    assert.equal(times, "1");
    assert.ok(end <= 6, `${end} s`);
  }
});

test("the hero does not move under reduced motion", async (t) => {
  const { strokes } = await strokesOf(t, "reduce");
  assert.deepEqual([...new Set(strokes.map(({ name }) => name))], ["none"]);
});
