import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

after(closeBrowser);

test("visitors mark an answer without script, and only then see what the model proposes", async (t) => {
  const server = await startServer(t);
  for (const javaScriptEnabled of [false, true]) {
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(server.url);
    const section = page.locator(".mark-it");
    const model = section.getByText("names no hot air");
    await section.getByText("Give your mark").click();
    await section.getByText("Choose 0, 1, 2 or 3 first.").waitFor();
    assert.equal(await model.isVisible(), false);
    for (const [mark, verdict] of [
      ["3", "One more than the model proposes."],
      ["2", "What the model proposes, and Marker A gave."],
    ] as const) {
      await section.getByRole("radio", { name: mark }).check();
      await section.getByText(verdict).waitFor();
    }
    assert.ok(await model.isVisible());
    assert.equal(await section.getByText("One more than").isVisible(), false);
    if (javaScriptEnabled) assert.deepEqual(await violations(page), []);
  }
});

test("the hero is finished at once under reduced motion, and otherwise within six seconds, once", async (t) => {
  const server = await startServer(t);
  const animations = async (reducedMotion: "reduce" | "no-preference") => {
    const page = await openPage(t, { reducedMotion, viewport: { width: 360, height: 740 } });
    await page.goto(server.url);
    const script = page.locator(".marked-script");
    const { y, height } = (await script.boundingBox())!;
    assert.ok(y + height <= 740, "it is on a phone's first screen");
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
