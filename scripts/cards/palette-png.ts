import { deflateSync } from "node:zlib";
import { pngOf } from "../../app/desk/png.ts";

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
  return pngOf({ width, height, colorType: 3 }, [
    ["PLTE", Buffer.from(colours.flat())],
    ["IDAT", deflateSync(lines, { level: 9 })],
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
