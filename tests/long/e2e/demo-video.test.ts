import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { once } from "../../../app/server/system/once.ts";
import { wholeFile } from "../../support/at-end.ts";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { sharedServer, until } from "../../support/server.ts";

/** The cuts for wide and for narrow windows, with the most bytes for both of its files together. */
const cuts = [
  { name: "landscape", width: 1280, film: [1200, 1032], maxBytes: 2_600_000 },
  { name: "portrait", width: 360, film: [540, 1026], maxBytes: 1_800_000 },
];
const maxPosterBytes = 15_000;
/** The colour around the sheet on the poster, in red, green and blue. */
const posterGround = [245, 239, 227];

/** Excludes the captions: browsers load a default track with the page (300 bytes). */
const isVideoFile = (path: string) => /\.(webm|mp4)$/.test(path);

after(closeBrowser);

/** Opens home at the width of a cut, once the poster is seen. */
async function openVideo(t: TestContext, width: number) {
  const server = await sharedServer();
  const page = await openPage(t, { viewport: { width, height: 800 } });
  const requestedPaths: string[] = [];
  page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto(server.url, { waitUntil: "networkidle" });
  const video = page.locator("video");
  await video.scrollIntoViewIfNeeded();
  await until(async () =>
    isDeepStrictEqual(await colourOf(t, await video.screenshot()), posterGround),
  );
  const play = async () => {
    await video.evaluate((element: HTMLVideoElement) => element.play());
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.5);
  };
  return { requestedPaths, video, play };
}

for (const { name, width, film } of cuts) {
  test(`the ${name} cut of the demo video is loaded only when it is played`, async (t) => {
    const { requestedPaths, play } = await openVideo(t, width);
    assert.equal(requestedPaths.filter((path) => path.includes("/poster")).length, 1);
    assert.deepEqual(requestedPaths.filter(isVideoFile), []);
    await play();
    const requestedVideos = [...new Set(requestedPaths.filter(isVideoFile))].join();
    assert.match(requestedVideos, new RegExp(`^/assets/demo-${name}[^,]*\\.webm$`));
  });

  test(`the ${name} cut of the demo video is played with captions`, async (t) => {
    const { video, play } = await openVideo(t, width);
    await play();
    const { mode, texts } = await video.evaluate((element: HTMLVideoElement) => {
      const [track] = element.textTracks;
      const cues = [...track!.activeCues!] as VTTCue[];
      return { mode: track!.mode, texts: cues.map(({ text }) => text) };
    });
    assert.equal(mode, "showing");
    assert.match(texts.join(), /There is no sound/);
  });

  test(`the ${name} cut of the demo video is played in its place and shape`, async (t) => {
    const { video, play } = await openVideo(t, width);
    const boxOf = () => video.evaluate((element) => element.getBoundingClientRect().toJSON());
    const still = await boxOf();
    await play();
    const playing = await boxOf();
    assert.deepEqual(
      [playing.left, playing.top, playing.width],
      [still.left, still.top, still.width],
    );
    const expected = ((playing.width - 2) * film[1]!) / film[0]!;
    assert.ok(Math.abs(playing.height - 2 - expected) < 2, JSON.stringify(playing));
    assert.ok(playing.height <= 720, JSON.stringify(playing));
  });
}

test("the poster of the demo video fits into the window", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(server.url);
  for (const [width, height] of [
    [280, 700],
    [360, 740],
    [740, 400],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const box = (await page.locator("video").boundingBox())!;
    // The border is 1 pixel on each side.
    const expected = ((box.width - 2) * 9) / 16;
    assert.ok(Math.abs(box.height - 2 - expected) < 2, `${width} px: ${JSON.stringify(box)}`);
    assert.ok(box.height < height, `${width} px: ${box.height} of ${height}`);
    assert.ok(box.x >= 0 && box.x + box.width <= width, `${width} px: ${JSON.stringify(box)}`);
  }
});

/** Plays the files of both cuts, and reads what the page says about them. */
const measureFiles = once(async () => {
  const page = await openPage(wholeFile);
  await page.goto((await sharedServer()).url);
  const title = await page.locator("#video-title").textContent();
  const size = await page.locator(".demo-video p").textContent();
  const files = [];
  for (const cut of cuts) {
    await page.setViewportSize({ width: cut.width, height: 800 });
    for (const { src, type } of await sourcesOf(page, cut.name)) {
      const part = await fetch(src, { headers: { Range: "bytes=1000-1999" } });
      assert.deepEqual([part.status, part.headers.get("Content-Type")], [206, type], src);
      const bytes = Number(part.headers.get("Content-Range")!.split("/")[1]);
      files.push({ cut, src, bytes, ...(await playbackOf(page, src)) });
    }
  }
  const seconds = Number(/(\d+) seconds/.exec(title!)![1]);
  const maxMegabytes = Number(/([\d.]+) MB at most/.exec(size!)![1]);
  return { files, said: { seconds, maxMegabytes } };
});

test("each file of the demo video plays from any second in the size of its cut", async () => {
  const { files } = await measureFiles();
  assert.equal(files.length, 4);
  for (const { src, cut, width, height, seekErrors } of files) {
    assert.deepEqual([width, height], cut.film, src);
    assert.ok(Math.max(...seekErrors.map(Math.abs)) < 0.1, `${src}: ${seekErrors} seconds off`);
  }
});

test("the files of each cut of the demo video have few bytes together", async () => {
  const { files } = await measureFiles();
  for (const cut of cuts) {
    const sizes = files.filter((file) => file.cut === cut).map(({ bytes }) => bytes);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= cut.maxBytes, `${cut.name}: ${sizes.join(" and ")} bytes`);
  }
});

test("the page says how long the demo video is, and how large at most", async () => {
  const { files, said } = await measureFiles();
  for (const { src, duration } of files)
    assert.ok(Math.abs(duration - said.seconds) < 1, `${src}: ${duration} seconds`);
  assert.ok(said.seconds <= 60, `${said.seconds} seconds`);
  const largest = Math.max(...files.map(({ bytes }) => bytes));
  const shownError = said.maxMegabytes * 1e6 - largest;
  assert.ok(shownError >= 0 && shownError < 100_000, `${said.maxMegabytes} MB, ${largest} bytes`);
});

test("the poster of the demo video is small and has dark colours", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t);
  await page.goto(url);
  const poster = await page
    .locator("video")
    .evaluate((video: HTMLVideoElement) => fetch(video.poster).then((one) => one.text()));
  assert.ok(poster.length <= maxPosterBytes, `${poster.length} bytes`);
  assert.match(poster, /prefers-color-scheme:dark/);
});

test("the captions of the demo video have every sentence of its transcript, in the first line", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t);
  await page.goto(url);
  const captions = await page.locator("track").evaluate((track: HTMLTrackElement) => track.src);
  const words = await (await fetch(captions)).text();
  assert.match(words, /^WEBVTT\n\n/);
  const transcript = await page.locator(".demo-video li").allTextContents();
  assert.ok(transcript.length > 5);
  for (const sentence of transcript) assert.ok(words.includes(sentence), sentence);
  await page.waitForFunction(() => document.querySelector("track")!.readyState === 2);
  const lines = await page
    .locator("track")
    .evaluate((element: HTMLTrackElement) =>
      [...element.track.cues!].map((cue) => (cue as VTTCue).line),
    );
  // Chromium does not wrap captions that are placed by a percentage.
  assert.deepEqual([...new Set(lines)], [0]);
});

/** The colour near the top left corner of a picture. */
async function colourOf(t: TestContext, png: Buffer): Promise<number[]> {
  const page = await openPage(t);
  return page.evaluate(
    async (url) => {
      const picture = await createImageBitmap(await (await fetch(url)).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d")!;
      canvas.drawImage(picture, 0, 0);
      return [...canvas.getImageData(20, 20, 1, 1).data].slice(0, 3);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
}

/** The WebM and the MP4 of a cut. */
async function sourcesOf(page: Page, cut: string): Promise<{ src: string; type: string }[]> {
  const sources = await page
    .locator("video source")
    .evaluateAll((elements) =>
      (elements as HTMLSourceElement[]).map(({ src, type }) => ({ src, type })),
    );
  const ofCut = sources.filter(({ src }) => src.includes(`/demo-${cut}`));
  assert.deepEqual(ofCut.map(({ type }) => type).sort(), ["video/mp4", "video/webm"]);
  return ofCut;
}

const playbackOf = (page: Page, src: string) =>
  page.locator("video").evaluate(async (video: HTMLVideoElement, src) => {
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
