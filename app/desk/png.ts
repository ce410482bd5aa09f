import { crc32 } from "node:zlib";

/**
 * A PNG with eight bits for each channel or palette index.
 * @param colorType 2: true colour; 3: with a palette
 * @param chunks the chunks between the header and the end
 */
export function pngOf(
  { width, height, colorType }: { width: number; height: number; colorType: 2 | 3 },
  chunks: [type: string, data: Buffer][],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...chunks.map(([type, data]) => chunk(type, data)),
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
