/** Writes a TrueType font, with the tables that browsers need: https://learn.microsoft.com/typography/opentype/spec/ */
import type { ContourPoint } from "./outline.ts";

export interface FontGlyph {
  /** Undefined for the glyph of missing characters, which is the first. */
  codePoint?: number;
  width: number;
  contours: ContourPoint[][];
}

interface FontMetrics {
  unitsPerEm: number;
  ascent: number;
  descent: number;
  xHeight: number;
  capHeight: number;
}

/** @param glyphs sorted by code point */
export function trueType(metrics: FontMetrics, glyphs: FontGlyph[]): Buffer {
  const shapes = glyphs.map(glyphData);
  const box = boxOf(glyphs.flatMap(({ contours }) => contours.flat()));
  return withDirectory({
    "OS/2": os2(metrics, glyphs),
    cmap: cmap(glyphs),
    glyf: Buffer.concat(shapes),
    head: head(metrics, box),
    hhea: hhea(metrics, glyphs),
    hmtx: hmtx(glyphs),
    loca: loca(shapes),
    maxp: maxp(glyphs),
    // Chromium rejects a font without this table, but needs no names in it.
    name: numbers(u16(0), u16(0), u16(6)),
    post: numbers(
      ["u32", 0x00030000],
      ["u32", 0],
      ["i16", -75],
      ["i16", 50],
      ["u32", 0],
      ...zeros(4),
    ),
  });
}

type Field = [type: "u16" | "i16" | "u32", value: number];

const zeros = (count: number): Field[] => Array.from({ length: count }, () => ["u32", 0]);

function numbers(...fields: Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [type]) => sum + (type === "u32" ? 4 : 2), 0));
  let at = 0;
  for (const [type, value] of fields) {
    if (type === "u32") at = buffer.writeUInt32BE(value >>> 0, at);
    else if (type === "u16") at = buffer.writeUInt16BE(value, at);
    else at = buffer.writeInt16BE(value, at);
  }
  return buffer;
}

function boxOf(points: ContourPoint[]): [xMin: number, yMin: number, xMax: number, yMax: number] {
  if (points.length === 0) return [0, 0, 0, 0];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

const i16 = (value: number): Field => ["i16", value];
const u16 = (value: number): Field => ["u16", value];

function glyphData({ contours }: FontGlyph): Buffer {
  if (contours.length === 0) return Buffer.alloc(0);
  const points = contours.flat();
  const ends = contours.map((_, i) => u16(contours.slice(0, i + 1).flat().length - 1));
  const header = numbers(i16(contours.length), ...boxOf(points).map(i16), ...ends, u16(0));
  const flags = Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? 1 : 0)));
  const steps = (axis: "x" | "y") =>
    numbers(...points.map((point, i) => i16(point[axis] - (points[i - 1]?.[axis] ?? 0))));
  return padded(Buffer.concat([header, flags, steps("x"), steps("y")]));
}

const padded = (data: Buffer): Buffer =>
  Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);

function loca(shapes: Buffer[]): Buffer {
  const ends = shapes.map((_, i) => Buffer.concat(shapes.slice(0, i + 1)).length);
  return numbers(["u32", 0], ...ends.map((end): Field => ["u32", end]));
}

function head({ unitsPerEm }: FontMetrics, box: number[]): Buffer {
  return numbers(
    ["u32", 0x00010000],
    ["u32", 0x00010000],
    ["u32", 0],
    ["u32", 0x5f0f3cf5],
    u16(0b1011),
    u16(unitsPerEm),
    ...zeros(4),
    ...box.map(i16),
    u16(0),
    u16(8),
    i16(2),
    i16(1),
    i16(0),
  );
}

function hhea({ ascent, descent }: FontMetrics, glyphs: FontGlyph[]): Buffer {
  const widest = Math.max(...glyphs.map(({ width }) => width));
  return numbers(
    ["u32", 0x00010000],
    i16(ascent),
    i16(-descent),
    i16(0),
    u16(widest),
    i16(0),
    i16(0),
    i16(widest),
    i16(1),
    i16(0),
    i16(0),
    ...zeros(2),
    i16(0),
    u16(glyphs.length),
  );
}

const hmtx = (glyphs: FontGlyph[]): Buffer =>
  numbers(...glyphs.flatMap(({ width, contours }) => [u16(width), i16(boxOf(contours.flat())[0])]));

function maxp(glyphs: FontGlyph[]): Buffer {
  const largest = (count: (glyph: FontGlyph) => number) => u16(Math.max(...glyphs.map(count)));
  return numbers(
    ["u32", 0x00010000],
    u16(glyphs.length),
    largest(({ contours }) => contours.flat().length),
    largest(({ contours }) => contours.length),
    u16(0),
    u16(0),
    u16(1),
    ...Array.from({ length: 8 }, () => u16(0)),
  );
}

/** Format 4, one segment for each character. */
function cmap(glyphs: FontGlyph[]): Buffer {
  const codes = glyphs.flatMap(({ codePoint }, index) =>
    codePoint === undefined ? [] : [{ codePoint, delta: (index - codePoint) & 0xffff }],
  );
  const segments = [...codes, { codePoint: 0xffff, delta: 1 }];
  const count = segments.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const ends = segments.map(({ codePoint }) => u16(codePoint));
  return numbers(
    ...[0, 1, 3, 1].map(u16),
    ["u32", 12],
    u16(4),
    u16(16 + count * 8),
    u16(0),
    u16(count * 2),
    u16(power * 2),
    u16(Math.log2(power)),
    u16((count - power) * 2),
    ...ends,
    u16(0),
    ...ends,
    ...segments.map(({ delta }) => u16(delta)),
    ...segments.map(() => u16(0)),
  );
}

function os2(metrics: FontMetrics, glyphs: FontGlyph[]): Buffer {
  const { ascent, descent, xHeight, capHeight } = metrics;
  const codes = glyphs.flatMap(({ codePoint }) => codePoint ?? []);
  const average = glyphs.reduce((sum, { width }) => sum + width, 0) / glyphs.length;
  return numbers(
    u16(4),
    i16(Math.round(average)),
    u16(400),
    u16(5),
    ...Array.from({ length: 11 }, () => i16(0)),
    i16(0x0a00),
    u16(0),
    ...zeros(2),
    ...zeros(4),
    ["u32", 0x20202020],
    u16(0x40),
    u16(Math.min(...codes)),
    u16(Math.max(...codes)),
    i16(ascent),
    i16(-descent),
    i16(0),
    u16(ascent),
    u16(descent),
    ...zeros(2),
    i16(xHeight),
    i16(capHeight),
    u16(0),
    u16(32),
    u16(1),
  );
}

function withDirectory(tables: Record<string, Buffer>): Buffer {
  const entries = Object.entries(tables);
  const power = 2 ** Math.floor(Math.log2(entries.length));
  let at = 12 + entries.length * 16;
  const records = entries.map(([tag, data]) => {
    const record = Buffer.concat([
      Buffer.from(tag, "latin1"),
      numbers(["u32", checksum(data)], ["u32", at], ["u32", data.length]),
    ]);
    at += padded(data).length;
    return record;
  });
  const header = numbers(
    ["u32", 0x00010000],
    u16(entries.length),
    u16(power * 16),
    u16(Math.log2(power)),
    u16((entries.length - power) * 16),
  );
  const font = Buffer.concat([header, ...records, ...entries.map(([, data]) => padded(data))]);
  const headAt = records.findIndex((record) => record.toString("latin1", 0, 4) === "head");
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, records[headAt]!.readUInt32BE(8) + 8);
  return font;
}

function checksum(data: Buffer): number {
  const words = padded(data);
  let sum = 0;
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) >>> 0;
  return sum;
}
