/** A stored picture of a page as PNG, for programs that do not read WebP. */
import { crc32, deflateSync } from "node:zlib";
import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js";
import { readWasm } from "./wasm.ts";

/** Returns a function that converts pictures. They are the program's own, so no child process does it. */
export async function pngConverter(): Promise<(webp: Buffer) => Promise<Buffer>> {
  // The decoder's result is the browser's class, which Node does not have.
  globalThis.ImageData ??= class {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  } as unknown as typeof ImageData;
  await initWebp(await WebAssembly.compile(new Uint8Array(readWasm("webp_dec.wasm"))));
  return async (webp) => encodePng(await decodeWebp(new Uint8Array(webp).buffer));
}

/** Encodes opaque RGBA in true colour. */
function encodePng({ data, width, height }: Pick<ImageData, "data" | "width" | "height">): Buffer {
  // One byte before each line names its filter: 0 is none.
  const lines = Buffer.alloc((width * 3 + 1) * height);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    if (from % (width * 4) === 0) to += 1;
    for (let channel = 0; channel < 3; channel += 1) lines[to++] = data[from + channel]!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of three channels.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}
