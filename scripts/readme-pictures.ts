/** npm run readme-pictures: takes the pictures of the README, the top of the home page, light and dark. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./find-browser.ts";
import { startExecutable } from "./start-executable.ts";

const folder = path.join(import.meta.dirname, "../docs/pictures");

mkdirSync(folder, { recursive: true });
const server = await startExecutable();
const browser = await launchBrowser();
try {
  for (const scheme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      // Tall enough to end where the demo film begins.
      viewport: { width: 1280, height: 545 },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    await page.goto(server.url);
    await page.evaluate(() => document.fonts.ready);
    // Playwright itself writes no WebP, which is a third of the size of a PNG.
    const devtools = await page.context().newCDPSession(page);
    const options = { format: "webp", quality: 80 } as const;
    const { data } = await devtools.send("Page.captureScreenshot", options);
    writeFileSync(path.join(folder, `home-${scheme}.webp`), Buffer.from(data, "base64"));
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
