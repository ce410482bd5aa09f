/**
 * npm run record-video: films the home page's demo video from the executable in Chromium, and
 * writes it with captions and poster into app/ui/video/. Needs ffmpeg; the output is committed, so
 * builds do not.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { findBrowser } from "./find-browser.ts";
import { encode } from "./record-video/encode.ts";
import { Film, size } from "./record-video/film.ts";
import { writePapers } from "./record-video/papers.ts";
import { Pointer } from "./record-video/pointer.ts";
import { play } from "./record-video/scenes.ts";
import { startExecutable } from "./start-executable.ts";

if (spawnSync("ffmpeg", ["-version"]).error) {
  console.error("Recording needs ffmpeg (Debian: apt-get install ffmpeg).");
  process.exit(1);
}

const output = path.join(import.meta.dirname, "../app/ui/video");
const work = mkdtempSync(path.join(tmpdir(), "film-"));
// The video shows no brand name, so that it fits every brand.
const server = await startExecutable({ BRAND_NAME: "the service", BRAND_COMPANY: "Our team" });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: size });
  const film = await Film.begin(page, path.join(work, "film.mkv"));
  const pointer = new Pointer(page, film);
  await play({ page, url: server.url, film, pointer }, writePapers(work));
  await film.end();
  encode(film, output);
  for (const name of ["demo.webm", "demo.mp4", "demo.vtt", "poster.svg"]) {
    console.log(`${name} ${statSync(path.join(output, name)).size} bytes`);
  }
  console.log(`${film.seconds.toFixed(1)} seconds`);
} finally {
  await browser.close();
  await server.stop();
  rmSync(work, { recursive: true });
}
