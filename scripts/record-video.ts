/**
 * npm run record-video: the demo video of the home page, filmed from the built program in Chromium, and its
 * captions and poster, into app/ui/video/. Needs ffmpeg; what it makes is committed, so nobody else does.
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
// Nobody's name is in it, so it serves under every brand.
const server = await startExecutable({ BRAND_NAME: "the service", BRAND_COMPANY: "Our team" });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: size });
  const film = await Film.begin(page, path.join(work, "film.mkv"));
  const pointer = new Pointer(page, film);
  await play({ page, url: server.url, film, pointer }, writePapers(work));
  await film.end();
  encode(film, output);
  for (const name of ["demo.webm", "demo.mp4", "demo.vtt", "poster.avif"]) {
    console.log(`${name} ${statSync(path.join(output, name)).size} bytes`);
  }
  console.log(`${film.seconds.toFixed(1)} seconds`);
} finally {
  await browser.close();
  await server.stop();
  rmSync(work, { recursive: true });
}
