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
    return script.evaluate((element) =>
      element.getAnimations({ subtree: true }).map((animation) => {
        const { endTime, iterations } = animation.effect!.getComputedTiming();
        return [Number(endTime), iterations] as const;
      }),
    );
  };
  assert.deepEqual(await animations("reduce"), []);
  const played = await animations("no-preference");
  assert.equal(played.length, 12);
  for (const [endTime, iterations] of played) {
    assert.ok(endTime <= 6000, `${endTime} ms`);
    assert.equal(iterations, 1);
  }
});
