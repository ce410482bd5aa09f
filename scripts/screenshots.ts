/**
 * npm run screenshots [-- NAME …]: writes every page and state (or those named, see views.ts) at three widths, light
 * and dark, into screenshots/, which git ignores. Look at them after a style change.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./find-browser.ts";
import { viewsOn } from "./published-classes.ts";
import { startExecutable } from "./start-executable.ts";
import type { View } from "./views.ts";

const folder = path.join(import.meta.dirname, "../screenshots");
const names = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const server = await startExecutable();
const views = await viewsOn(server);
const selected = views.filter(({ name }) => names.length === 0 || names.includes(name));
const browser = await launchBrowser();
try {
  // Four views are taken in parallel, because each spends most of its time waiting.
  await Promise.all(Array.from({ length: 4 }, takeShots));
} finally {
  await browser.close();
  await server.stop();
}

async function takeShots(): Promise<void> {
  for (let view = selected.shift(); view; view = selected.shift()) {
    const { narrowerThan = Number.POSITIVE_INFINITY } = view;
    // One after another: the steps of a view, such as saving a mark, would disturb the same view in another window.
    for (const width of [360, 768, 1280].filter((width) => width < narrowerThan)) {
      for (const scheme of ["light", "dark"] as const) await takeShot(view, width, scheme);
    }
  }
}

async function takeShot(view: View, width: number, scheme: "light" | "dark"): Promise<void> {
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
