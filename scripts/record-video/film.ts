import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { CDPSession, Page } from "playwright-core";

/**
 * In CSS pixels: wide enough for the desktop layout, small enough to be legible in a small player.
 */
export const size = { width: 960, height: 720 };
/** Scales the video to 1280 × 960. */
const scale = 4 / 3;
export const framesPerSecond = 25;

export interface Cue {
  from: number;
  to: number;
  text: string;
}

/**
 * Films a page frame by frame, losslessly, and records captions. Film time advances only with
 * frames, so a slow machine makes the same film as a fast one.
 */
export class Film {
  readonly file: string;
  readonly cues: Cue[] = [];
  #frames = 0;
  #lastFrame = Buffer.alloc(0);
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #ffmpeg: ChildProcess;

  static async begin(page: Page, file: string): Promise<Film> {
    return new Film(page, await page.context().newCDPSession(page), file);
  }

  private constructor(page: Page, session: CDPSession, file: string) {
    this.file = file;
    this.#page = page;
    this.#session = session;
    const input = [
      "-f",
      "image2pipe",
      "-c:v",
      "png",
      "-framerate",
      `${framesPerSecond}`,
      "-i",
      "-",
    ];
    const lossless = ["-c:v", "libx264rgb", "-qp", "0", "-preset", "ultrafast"];
    this.#ffmpeg = spawn("ffmpeg", ["-loglevel", "error", "-y", ...input, ...lossless, file], {
      stdio: ["pipe", "inherit", "inherit"],
    });
  }

  get seconds(): number {
    return this.#frames / framesPerSecond;
  }

  /** Shows a caption until the next one. */
  caption(text: string): void {
    this.#closeCue();
    this.cues.push({ from: this.seconds, to: this.seconds, text });
  }

  /** Adds `count` frames of the page as it is now. */
  async frame(count = 1): Promise<void> {
    const { cssVisualViewport: window } = await this.#session.send("Page.getLayoutMetrics");
    const { data } = await this.#session.send("Page.captureScreenshot", {
      format: "png",
      clip: { x: window.pageX, y: window.pageY, ...size, scale },
      optimizeForSpeed: true,
    });
    this.#lastFrame = Buffer.from(data, "base64");
    await this.#write(count);
  }

  /** Films an unchanging page. */
  async hold(seconds: number): Promise<void> {
    // The page may not have painted the last change yet.
    await this.#page.waitForTimeout(60);
    await this.frame(Math.round(seconds * framesPerSecond));
  }

  /** Films changes of the page in real time until `isDone` returns true. */
  async watch(isDone: () => Promise<boolean>): Promise<void> {
    const begin = performance.now();
    const firstFrame = this.#frames;
    for (let done = false; !done; ) {
      done = await isDone();
      const framesDue = Math.round(((performance.now() - begin) / 1000) * framesPerSecond);
      await this.frame(Math.max(1, firstFrame + framesDue - this.#frames));
    }
  }

  async end(): Promise<void> {
    this.#closeCue();
    this.#ffmpeg.stdin!.end();
    const [code] = await once(this.#ffmpeg, "close");
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  }

  #closeCue(): void {
    const cue = this.cues.at(-1);
    if (cue) cue.to = this.seconds;
  }

  async #write(count: number): Promise<void> {
    for (let written = 0; written < count; written += 1) {
      this.#frames += 1;
      if (!this.#ffmpeg.stdin!.write(this.#lastFrame)) await once(this.#ffmpeg.stdin!, "drain");
    }
  }
}
