import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

test("visitors mark an answer without script, and only then see what the model proposes", async (t) => {
  const server = await sharedServer();
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
