/**
 * npm run screenshots [-- NAME …]: writes every page and state (or those named, see views.ts) at three widths, light
 * and dark, into screenshots/, which git ignores. Look at them after a style change.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./find-browser.ts";
import { viewsOn } from "./published-classes.ts";
import { startExecutable } from "./start-executable.ts";

const folder = path.join(import.meta.dirname, "../screenshots");
const names = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const server = await startExecutable();
const views = await viewsOn(server);
const selected = views.filter(({ name }) => names.length === 0 || names.includes(name));
const browser = await launchBrowser();
const shots = selected.flatMap((view) =>
  [360, 768, 1280]
    .filter((width) => width < (view.narrowerThan ?? Number.POSITIVE_INFINITY))
    .flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ view, width, scheme }))),
);
try {
  // Four pages are taken in parallel, because each spends most of its time waiting.
  await Promise.all(Array.from({ length: 4 }, takeShots));
} finally {
  await browser.close();
  await server.stop();
}

async function takeShots(): Promise<void> {
  for (let shot = shots.shift(); shot; shot = shots.shift()) {
    const { view, width, scheme } = shot;
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    if (view.isPrinted) await page.emulateMedia({ media: "print" });
    await page.goto(server.url + view.path);
    await view.reach?.(page);
    // Modal dialogs and popovers cover the window, not the whole page.
    const hasOverlay = (await page.locator("dialog:modal, :popover-open").count()) > 0;
    const file = `${view.name}-${width}-${scheme}.png`;
    await page.screenshot({ path: path.join(folder, file), fullPage: !hasOverlay });
    await context.close();
    console.log(file);
  }
}
