import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

const maxBytes = 3_000_000;
const maxPosterBytes = 30_000;

/** From the Layout Instability API, which TypeScript's DOM types lack. */
type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** Excludes the captions: browsers load a default track with the page (300 bytes). */
const isVideoFile = (path: string) => /\.(webm|mp4)$/.test(path);

after(closeBrowser);

test("only the demo video's poster is loaded before it is played, and playing shifts no layout", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  const requestedPaths: string[] = [];
  page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        // Shifts of the player's captions and controls have no node visible to the page.
        if (entry.sources.some(({ node }) => node)) window.name += ` ${entry.value}`;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(server.url, { waitUntil: "networkidle" });
  const video = page.locator("video");
  await video.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  assert.ok(requestedPaths.some((path) => /poster.*\.svg$/.test(path)));
  assert.deepEqual(requestedPaths.filter(isVideoFile), []);

  await video.evaluate((element: HTMLVideoElement) => element.play());
  await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.5);
  assert.match([...new Set(requestedPaths.filter(isVideoFile))].join(), /^[^,]*\.webm$/);
  const track = await video.evaluate((element: HTMLVideoElement) => {
    const [track] = element.textTracks;
    return { mode: track!.mode, texts: [...track!.activeCues!].map((cue) => (cue as VTTCue).text) };
  });
  assert.equal(track.mode, "showing");
  assert.match(track.texts.join(), /There is no sound/);
  // A late font shifts lines a little; a video without reserved space would shift the page.
  const shifts = (await page.evaluate(() => window.name)).split(" ").map(Number);
  const shifted = shifts.reduce((sum, value) => sum + value, 0);
  assert.ok(shifted < 0.02, `${shifts}`);
});

test("each of its files is small, plays and can be seeked, and its captions do not name the product", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_BRAND_NAME: "Markwise" } });
  const page = await openPage(t);
  await page.goto(server.url);
  const { sources, poster, captions } = await page
    .locator("video")
    .evaluate((video: HTMLVideoElement) => ({
      sources: [...video.querySelectorAll("source")].map(({ src, type }) => ({ src, type })),
      poster: video.poster,
      captions: video.querySelector("track")!.src,
    }));
  assert.deepEqual(sources.map(({ type }) => type).sort(), ["video/mp4", "video/webm"]);
  let total = 0;
  for (const { src, type } of sources) {
    const part = await fetch(src, { headers: { Range: "bytes=1000-1999" } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("Content-Type"), type);
    total += Number(part.headers.get("Content-Range")!.split("/")[1]);

    const playback = await page.locator("video").evaluate(async (video: HTMLVideoElement, src) => {
      video.src = src;
      const event = (name: string) =>
        new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
      video.load();
      video.preload = "metadata";
      await event("loadedmetadata");
      const { duration, videoWidth, videoHeight } = video;
      const seekErrors: number[] = [];
      for (const time of [duration - 2, 3, duration / 2]) {
        video.currentTime = time;
        await event("seeked");
        seekErrors.push(video.currentTime - time);
      }
      await video.play();
      return { duration, width: videoWidth, height: videoHeight, seekErrors };
    }, src);
    assert.ok(
      playback.duration >= 30 && playback.duration <= 60,
      `${src}: ${playback.duration} seconds`,
    );
    assert.deepEqual([playback.width, playback.height], [1280, 960]);
    for (const seekError of playback.seekErrors)
      assert.ok(Math.abs(seekError) < 0.1, `${src}: ${seekError} seconds off`);
  }
  assert.ok(total <= maxBytes, `${total} bytes`);
  const posterBytes = (await (await fetch(poster)).arrayBuffer()).byteLength;
  assert.ok(posterBytes <= maxPosterBytes, `${posterBytes} bytes`);
  t.diagnostic(`${total} bytes of video, ${posterBytes} of poster`);

  const words = await (await fetch(captions)).text();
  assert.match(words, /^WEBVTT\n\n/);
  assert.doesNotMatch(words, /rubricon/i);
  const transcript = await page.locator(".demo-video li").allInnerTexts();
  assert.ok(transcript.length > 5);
  for (const sentence of transcript) assert.ok(words.includes(sentence), sentence);
});
