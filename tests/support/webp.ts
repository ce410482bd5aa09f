/** Reads WebP pictures. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import decode, { init } from "@jsquash/webp/decode.js";

const wasm = createRequire(import.meta.url).resolve("@jsquash/webp/codec/dec/webp_dec.wasm");
await init(await WebAssembly.compile(readFileSync(wasm)));
Object.assign(globalThis, {
  // The decoder makes an ImageData, which browsers have and Node lacks.
  ImageData: function make(data: Uint8ClampedArray, width: number, height: number) {
    return { data, width, height };
  },
});

export const pixelsOf = (webp: Buffer) => decode(new Uint8Array(webp).buffer);

/** Returns the colour of a pixel as red, green and blue. @param x,y parts of the width and height, below 1 */
export async function colourAt(webp: Buffer, x: number, y: number): Promise<number[]> {
  const { data, width, height } = await pixelsOf(webp);
  const at = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
  return [...data.subarray(at, at + 3)];
}
