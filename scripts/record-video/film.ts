import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { CDPSession, Page } from "playwright-core";
import { type Cut, scale } from "./cuts.ts";

export const framesPerSecond = 25;

export interface Cue {
  from: number;
  to: number;
  text: string;
}

/** A part of the page, in CSS pixels from its top left corner. `scale` is the number of film pixels for a CSS pixel. */
interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
  scale: number;
}

/**
 * Films a page frame by frame, losslessly, and records captions. Film time advances only with frames, and the
 * page's animations only with film time, so a slow machine makes the same film as a fast one.
 */
export class Film {
  readonly file: string;
  readonly cues: Cue[] = [];
  #frames = 0;
  #lastFrame = Buffer.alloc(0);
  readonly #cut: Cut;
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #ffmpeg: ChildProcess;

  static async begin(page: Page, cut: Cut, file: string): Promise<Film> {
    const session = await page.context().newCDPSession(page);
    await session.send("Animation.enable");
    await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
    return new Film(page, cut, session, file);
  }

  private constructor(page: Page, cut: Cut, session: CDPSession, file: string) {
    this.file = file;
    this.#page = page;
    this.#cut = cut;
    this.#session = session;
    const input = ["-f", "image2pipe", "-c:v", "png", "-framerate", `${framesPerSecond}`];
    const lossless = ["-c:v", "libx264rgb", "-qp", "0", "-preset", "ultrafast"];
    const args = ["-loglevel", "error", "-y", ...input, "-i", "-", ...lossless, file];
    this.#ffmpeg = spawn("ffmpeg", args, { stdio: ["pipe", "inherit", "inherit"] });
  }

  get seconds(): number {
    return this.#frames / framesPerSecond;
  }

  /**
   * Films an action under a caption, then the page as it is until the shot has its length. Both cuts have the same
   * captions at the same times, because each shot is as long in both.
   * @throws Error if the action takes longer than the shot
   */
  async shot(seconds: number, caption: string, action: () => Promise<void>): Promise<void> {
    const from = this.seconds;
    this.cues.push({ from, to: from + seconds, text: caption });
    await action();
    const rest = from + seconds - this.seconds;
    console.log(
      `${this.#cut.name}: “${caption}”, ${rest.toFixed(2)} of ${seconds} seconds to look`,
    );
    if (rest < 0) throw new Error("This shot is too short for what happens in it.");
    await this.hold(rest);
  }

  /** Films the page as it is now, and lets `count` frames pass. */
  async frame(count = 1): Promise<void> {
    const { data } = await this.#session.send("Page.captureScreenshot", {
      format: "png",
      clip: await this.#window(),
      optimizeForSpeed: true,
    });
    this.#lastFrame = Buffer.from(data, "base64");
    await this.#write(count);
    await this.#page.evaluate(advanceAnimations, (count * 1000) / framesPerSecond);
  }

  /** Films a page on which only animations move. */
  async hold(seconds: number): Promise<void> {
    // The page may not have painted the last change yet.
    await this.#page.waitForTimeout(60);
    let left = Math.round(seconds * framesPerSecond);
    while (left > 1 && (await this.#page.evaluate(isAnimated))) {
      await this.frame();
      left -= 1;
    }
    if (left > 0) await this.frame(left);
  }

  /**
   * Waits until `isDone` returns true. Meanwhile films changes of the page in real time, `maxSeconds` of film at
   * most.
   */
  async watch(maxSeconds: number, isDone: () => Promise<boolean>): Promise<void> {
    const begin = performance.now();
    let filmed = 0;
    while (!(await isDone())) {
      const elapsed = Math.min(maxSeconds, (performance.now() - begin) / 1000);
      const framesDue = Math.round(elapsed * framesPerSecond) - filmed;
      if (framesDue > 0) await this.frame(framesDue);
      filmed += framesDue;
    }
  }

  async end(): Promise<void> {
    this.#ffmpeg.stdin!.end();
    const [code] = await once(this.#ffmpeg, "close");
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  }

  async #window(): Promise<Clip> {
    const { cssVisualViewport } = await this.#session.send("Page.getLayoutMetrics");
    const { pageX: x, pageY: y } = cssVisualViewport;
    return { x, y, ...this.#cut.viewport, scale };
  }

  async #write(count: number): Promise<void> {
    for (let written = 0; written < count; written += 1) {
      this.#frames += 1;
      if (!this.#ffmpeg.stdin!.write(this.#lastFrame)) await once(this.#ffmpeg.stdin!, "drain");
    }
  }
}

/** Runs in the page: moves its animations on. */
function advanceAnimations(milliseconds: number): void {
  for (const animation of document.getAnimations()) {
    animation.currentTime = Number(animation.currentTime ?? 0) + milliseconds;
  }
}

/** Runs in the page: whether an animation is not finished. Endless animations have no last frame to wait for. */
const isAnimated = () =>
  document.getAnimations().some(({ playState, effect }) => {
    const endTime = Number(effect?.getComputedTiming().endTime);
    return playState !== "finished" && Number.isFinite(endTime);
  });
