import type { PageImage } from "../domain/page-image.ts";
import type { ScannedPage } from "../domain/scan.ts";
import type { Failure } from "./render-failure.ts";

/**
 * What the child process sends while it renders a file: the number of pages and then each page, or all paragraphs. For
 * the scan of a class, `scanned` is what was read from a page. `failed` comes last, if rendering fails.
 */
export type Frame =
  | { pageCount: number }
  | { page: PageImage; webp: Buffer }
  | { paragraphs: string[] }
  | { scanned: ScannedPage }
  | { failed: Failure };

/** Bytes in front of each frame: the length of its JSON and that of its picture. */
const headBytes = 8;

export function encodeFrame(frame: Frame): Buffer {
  const { webp, ...rest } = { webp: Buffer.alloc(0), ...frame };
  const json = Buffer.from(JSON.stringify(rest));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(webp.length, 4);
  return Buffer.concat([head, json, webp]);
}

/** Returns the complete frames of an output, without a last frame that is cut short. */
export function decodeFrames(output: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at + headBytes <= output.length) {
    const jsonAt = at + headBytes;
    const webpAt = jsonAt + output.readUInt32LE(at);
    const end = webpAt + output.readUInt32LE(at + 4);
    if (end > output.length) break;
    const frame = JSON.parse(output.toString("utf8", jsonAt, webpAt));
    frames.push("page" in frame ? { ...frame, webp: output.subarray(webpAt, end) } : frame);
    at = end;
  }
  return frames;
}
