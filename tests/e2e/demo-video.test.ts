import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

const maxBytes = 3_000_000;
const maxPosterBytes = 30_000;

/** As the Layout Instability API has it, which TypeScript does not know. */
type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** Not the captions: browsers ask for the 300 bytes of a track that is on by default with the page. */
const isFilm = (address: string) => /\.(webm|mp4)$/.test(address);

after(closeBrowser);

test("of the demo video only the poster is loaded before it is played, and playing moves nothing", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        // The player's own captions and controls have no node that a page may see.
        if (entry.sources.some(({ node }) => node)) window.name += ` ${entry.value}`;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(server.url, { waitUntil: "networkidle" });
  const video = page.locator("video");
  await video.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  assert.ok(asked.some((address) => /poster.*\.avif$/.test(address)));
  assert.deepEqual(asked.filter(isFilm), []);

  await video.evaluate((film: HTMLVideoElement) => film.play());
  await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.5);
  assert.match([...new Set(asked.filter(isFilm))].join(), /^[^,]*\.webm$/);
  const track = await video.evaluate((film: HTMLVideoElement) => {
    const [track] = film.textTracks;
    return { mode: track!.mode, said: [...track!.activeCues!].map((cue) => (cue as VTTCue).text) };
  });
  assert.equal(track.mode, "showing");
  assert.match(track.said.join(), /There is no sound/);
  // A font that comes late moves lines by next to nothing; a film without its room would move the page.
  const shifts = (await page.evaluate(() => window.name)).split(" ").map(Number);
  const shifted = shifts.reduce((sum, value) => sum + value, 0);
  assert.ok(shifted < 0.02, `${shifts}`);
});

test("each of its files is small, plays and can be sought in, and no name is in its words", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_BRAND_NAME: "Markwise" } });
  const page = await openPage(t);
  await page.goto(server.url);
  const { films, poster, captions } = await page
    .locator("video")
    .evaluate((video: HTMLVideoElement) => ({
      films: [...video.querySelectorAll("source")].map(({ src, type }) => ({ src, type })),
      poster: video.poster,
      captions: video.querySelector("track")!.src,
    }));
  assert.deepEqual(films.map(({ type }) => type).sort(), ["video/mp4", "video/webm"]);
  let total = 0;
  for (const { src, type } of films) {
    const part = await fetch(src, { headers: { Range: "bytes=1000-1999" } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("Content-Type"), type);
    total += Number(part.headers.get("Content-Range")!.split("/")[1]);

    const seen = await page.locator("video").evaluate(async (video: HTMLVideoElement, src) => {
      video.src = src;
      const event = (name: string) =>
        new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
      video.load();
      video.preload = "metadata";
      await event("loadedmetadata");
      const { duration, videoWidth, videoHeight } = video;
      const times: number[] = [];
      for (const time of [duration - 2, 3, duration / 2]) {
        video.currentTime = time;
        await event("seeked");
        times.push(video.currentTime - time);
      }
      await video.play();
      return { duration, width: videoWidth, height: videoHeight, times };
    }, src);
    assert.ok(seen.duration >= 30 && seen.duration <= 60, `${src}: ${seen.duration} seconds`);
    assert.deepEqual([seen.width, seen.height], [1280, 960]);
    for (const off of seen.times) assert.ok(Math.abs(off) < 0.1, `${src}: ${off} seconds off`);
  }
  assert.ok(total <= maxBytes, `${total} bytes`);
  const posterBytes = (await (await fetch(poster)).arrayBuffer()).byteLength;
  assert.ok(posterBytes <= maxPosterBytes, `${posterBytes} bytes`);
  t.diagnostic(`${total} bytes of film, ${posterBytes} of poster`);

  const words = await (await fetch(captions)).text();
  assert.match(words, /^WEBVTT\n\n/);
  assert.doesNotMatch(words, /rubricon/i);
  const transcript = await page.locator(".demo-video li").allInnerTexts();
  assert.ok(transcript.length > 5);
  for (const sentence of transcript) assert.ok(words.includes(sentence), sentence);
});
