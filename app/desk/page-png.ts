/** A stored picture of a page as PNG, for programs that do not read WebP. */
import { deflateSync } from "node:zlib";
import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js";
import { pngOf } from "./png.ts";
import { readWasm } from "./wasm.ts";

/** Returns a function that turns WebP into PNG. The program made the pictures, so no child process has to read them. */
export async function pngConverter(): Promise<(webp: Buffer) => Promise<Buffer>> {
  // The decoder makes an object of the browser's class ImageData, which Node lacks.
  globalThis.ImageData ??= class {
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      Object.assign(this, { data, width, height });
    }
  } as unknown as typeof ImageData;
  await initWebp(await WebAssembly.compile(new Uint8Array(readWasm("webp_dec.wasm"))));
  return async (webp) => encodePng(await decodeWebp(new Uint8Array(webp).buffer));
}

/** Encodes RGBA pixels as a PNG in true colour, without their alpha: they are opaque. */
function encodePng({ data, width, height }: Pick<ImageData, "data" | "width" | "height">): Buffer {
  // One byte before each line names its filter: 0 is none.
  const lines = Buffer.alloc((width * 3 + 1) * height);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    if (from % (width * 4) === 0) to += 1;
    for (let channel = 0; channel < 3; channel += 1) lines[to++] = data[from + channel]!;
  }
  return pngOf({ width, height, colorType: 2 }, [["IDAT", deflateSync(lines)]]);
}
