import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { CDPSession, Page } from "playwright-core";

/** In CSS pixels: wide enough for the layout of a desk, small enough to be read in a small player. */
export const size = { width: 960, height: 720 };
/** Makes 1280 × 960 of it. */
const scale = 4 / 3;
export const framesPerSecond = 25;

export interface Cue {
  from: number;
  to: number;
  text: string;
}

/**
 * A film of a page, frame by frame and without loss, with what is said under it. Time passes only as frames
 * are taken, so that a slow machine makes the same film as a fast one.
 */
export class Film {
  readonly file: string;
  readonly cues: Cue[] = [];
  /** What stands still for the poster, in seconds. */
  posterAt = 0;
  #frames = 0;
  #last = Buffer.alloc(0);
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

  /** Said from here on, until the next is. */
  say(text: string): void {
    this.#closeCue();
    this.cues.push({ from: this.seconds, to: this.seconds, text });
  }

  /** The page as it is, for so many frames. */
  async frame(times = 1): Promise<void> {
    const { cssVisualViewport: window } = await this.#session.send("Page.getLayoutMetrics");
    const { data } = await this.#session.send("Page.captureScreenshot", {
      format: "png",
      clip: { x: window.pageX, y: window.pageY, ...size, scale },
      optimizeForSpeed: true,
    });
    this.#last = Buffer.from(data, "base64");
    await this.#write(times);
  }

  /** Nothing moves. */
  async hold(seconds: number): Promise<void> {
    // What was just done may not be drawn yet.
    await this.#page.waitForTimeout(60);
    await this.frame(Math.round(seconds * framesPerSecond));
  }

  /** Something of the page's own moves, in its own time, until it is done. */
  async watch(isDone: () => Promise<boolean>): Promise<void> {
    const begun = performance.now();
    const first = this.#frames;
    for (let done = false; !done; ) {
      done = await isDone();
      const due = Math.round(((performance.now() - begun) / 1000) * framesPerSecond);
      await this.frame(Math.max(1, first + due - this.#frames));
    }
  }

  async end(): Promise<void> {
    this.#closeCue();
    this.#ffmpeg.stdin!.end();
    const [code] = await once(this.#ffmpeg, "close");
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  }

  #closeCue(): void {
    const open = this.cues.at(-1);
    if (open) open.to = this.seconds;
  }

  async #write(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      this.#frames += 1;
      if (!this.#ffmpeg.stdin!.write(this.#last)) await once(this.#ffmpeg.stdin!, "drain");
    }
  }
}
