/**
 * npm run record-video: films the home page's demo video from the executable in Chromium, and
 * writes its two cuts with captions into content/film/. Needs ffmpeg; the output is
 * committed, so builds do not. `npm run record-video -- portrait` records one cut.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./find-browser.ts";
import { type Cut, cuts } from "./record-video/cuts.ts";
import { captions, encode } from "./record-video/encode.ts";
import { Film } from "./record-video/film.ts";
import { writePapers } from "./record-video/papers.ts";
import { play } from "./record-video/scenes.ts";
import { Stage } from "./record-video/stage.ts";
import { startExecutable } from "./start-executable.ts";

if (spawnSync("ffmpeg", ["-version"]).error) {
  console.error("Recording needs ffmpeg (Debian: apt-get install ffmpeg).");
  process.exit(1);
}

const output = path.join(import.meta.dirname, "../content/film");
const work = mkdtempSync(path.join(tmpdir(), "film-"));
// The video shows no brand name, so that it fits every brand that names a model.
const content = path.join(work, "content");
mkdirSync(content);
writeFileSync(path.join(content, "brand.yaml"), 'model: "a language model"\n');
const server = await startExecutable({
  BRAND_NAME: "the service",
  BRAND_COMPANY: "Our team",
  CONTENT_DIR: content,
});
const browser = await launchBrowser();
const only = process.argv[2];
try {
  for (const cut of cuts) if (!only || cut.name === only) await record(cut, browser);
} finally {
  await browser.close();
  await server.stop();
  rmSync(work, { recursive: true });
}

async function record(cut: Cut, browser: Browser): Promise<void> {
  const { viewport, isTouch } = cut;
  const page = await browser.newPage({ viewport, isMobile: isTouch, hasTouch: isTouch });
  const film = await Film.begin(page, cut, path.join(work, `${cut.name}.mkv`));
  await play(new Stage(page, film, cut, server.url), writePapers(work));
  await film.end();
  const bytes = encode(cut, film.file, output);
  // Both cuts have the same captions, at the same times.
  writeFileSync(path.join(output, "demo.vtt"), captions(film.cues));
  writeSize(cut, bytes);
  console.log(`${cut.name}: ${film.seconds.toFixed(1)} seconds, ${bytes} bytes`);
}

/** Writes the size of a cut, which the page shows, in megabytes. */
function writeSize(cut: Cut, bytes: number): void {
  const file = path.join(output, "megabytes.json");
  const sizes = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  sizes[cut.name] = Math.ceil(bytes / 100_000) / 10;
  writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`);
}
