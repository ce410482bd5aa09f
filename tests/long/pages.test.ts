import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

after(closeBrowser);

test("every page at every width, light and dark: axe finds nothing and nothing scrolls sideways", async (t) => {
  const server = await startServer(t);
  for (const path of ["/", "/nowhere"]) {
    for (const width of [320, 360, 768, 1280]) {
      for (const colorScheme of ["light", "dark"] as const) {
        for (const javaScriptEnabled of [true, false]) {
          const page = await openPage(
            t,
            { viewport: { width, height: 800 }, colorScheme, javaScriptEnabled, bypassCSP: true },
            /status of 404/,
          );
          await page.goto(server.url + path);
          const what = `${path} at ${width}, ${colorScheme}, script ${javaScriptEnabled}`;
          const wide = await page.locator("html").evaluate((html) => html.scrollWidth);
          assert.ok(wide <= width, `${what}: ${wide} wide`);
          // axe is a script itself.
          if (javaScriptEnabled) assert.deepEqual(await violations(page), [], what);
        }
      }
    }
  }
});
