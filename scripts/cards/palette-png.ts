import { crc32, deflateSync } from "node:zlib";

/**
 * Encodes pixels as a PNG with a palette, which is a third of the size of a true-colour one.
 * @param pixels RGBA, opaque
 * @param palette colours as #rrggbb; each pixel gets the nearest
 */
export function palettePng(
  pixels: Uint8Array,
  width: number,
  height: number,
  palette: string[],
): Buffer {
  const colours = palette.map(channels);
  const nearest = new Map<number, number>();
  // One byte per pixel, and one before each line for its filter (0 is none).
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const offset = (y * width + x) * 4;
      const [red, green, blue] = [pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!];
      const key = (red << 16) | (green << 8) | blue;
      let index = nearest.get(key);
      if (index === undefined) {
        index = nearestTo([red, green, blue], colours);
        nearest.set(key, index);
      }
      lines[y * (width + 1) + 1 + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per pixel, colour type 3: palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colours.flat())),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

type Channels = [red: number, green: number, blue: number];

const channels = (hex: string): Channels => {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
};

function nearestTo(wanted: Channels, colours: Channels[]): number {
  const distances = colours.map((colour) =>
    colour.reduce((sum, channel, index) => sum + (channel - wanted[index]!) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}
