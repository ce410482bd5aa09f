/** Renders app/ui/icons/ from app/ui/favicon.svg. Run it when the logo changes, and commit the output. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./find-browser.ts";

const ui = path.join(import.meta.dirname, "../app/ui");
const logo = readFileSync(path.join(ui, "favicon.svg"), "utf8");

/**
 * `share`: the part of the width that the logo fills. Home screens round off the corners, so their icons have a margin.
 */
const icons = [
  { file: "icon-32.png", size: 32, share: 1 },
  { file: "icon-180.png", size: 180, share: 0.76 },
  { file: "icon-512.png", size: 512, share: 0.7 },
];

const browser = await launchBrowser();
const page = await browser.newPage({ colorScheme: "light" });
for (const { file, size, share } of icons) {
  await page.setViewportSize({ width: size, height: size });
  // The logo's background colour fills the square to its edges.
  await page.setContent(
    `<style>body { margin: 0; display: grid; place-items: center; height: 100vh; background: #fbf8f2 }
     svg { width: ${share * 100}vw }</style>${logo}`,
  );
  await page.screenshot({ path: path.join(ui, "icons", file) });
}
await browser.close();
