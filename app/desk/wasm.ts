import { readFileSync } from "node:fs";
import path from "node:path";

/** The packages' WebAssembly files, which the build puts beside the program. */
export const wasmFiles = {
  "pdfium.wasm": "@embedpdf/pdfium/dist/pdfium.wasm",
  "webp_enc_simd.wasm": "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
  "webp_dec.wasm": "@jsquash/webp/codec/dec/webp_dec.wasm",
  "zxing_full.wasm": "zxing-wasm/dist/full/zxing_full.wasm",
};

export const readWasm = (name: keyof typeof wasmFiles) =>
  readFileSync(path.join(import.meta.dirname, name));

const memorySection = 5;
const bytesPerPage = 65_536;

/**
 * Lowers the maximum of a WebAssembly module's memory.
 * @param maxBytes a multiple of 64 KiB
 * @throws if the module states no maximum
 */
export function limitMemory(wasm: Buffer, maxBytes: number): void {
  let at = 8;
  // Numbers are in LEB128: seven bits a byte, the lowest first.
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm.readUInt8(at++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (wasm.readUInt8(at++) !== memorySection) {
    const sectionBytes = readNumber();
    at += sectionBytes;
  }
  const skipNumber = readNumber;
  // The section begins with its size, the number of memories, the flags, the minimum and the maximum.
  skipNumber();
  const count = readNumber();
  const flags = readNumber();
  if (count !== 1 || flags !== 1) throw new Error("The module has no memory with a maximum.");
  skipNumber();
  const maxAt = at;
  skipNumber();
  const last = at - 1;
  let pages = maxBytes / bytesPerPage;
  // The new number takes as many bytes as the old one: LEB128 allows zeros at the end.
  for (let i = maxAt; i <= last; i += 1) {
    wasm[i] = (pages & 0x7f) | (i < last ? 0x80 : 0);
    pages >>= 7;
  }
}
