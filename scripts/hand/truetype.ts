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
    name: table({ format: u16(0), count: u16(0), stringOffset: u16(6) }),
    post: table({
      version: u32(0x00030000),
      italicAngle: u32(0),
      underlinePosition: i16(-75),
      underlineThickness: i16(50),
      isFixedPitch: u32(0),
      memory: zeros(4),
    }),
  });
}

type Field = [type: "u16" | "i16" | "u32", value: number];

const i16 = (value: number): Field => ["i16", value];
const u16 = (value: number): Field => ["u16", value];
const u32 = (value: number): Field => ["u32", value];
const zeros = (count: number) => Array.from({ length: count }, () => u32(0));

/** Writes the fields of a table in their order. The names are those of the specification. */
const table = (fields: Record<string, Field | Field[]>): Buffer =>
  numbers(...Object.values(fields).flatMap((one) => (isField(one) ? [one] : one)));

const isField = (one: Field | Field[]): one is Field => typeof one[0] === "string";

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

function glyphData({ contours }: FontGlyph): Buffer {
  if (contours.length === 0) return Buffer.alloc(0);
  const points = contours.flat();
  const ends = runningTotals(contours).map((total) => u16(total - 1));
  const header = table({
    numberOfContours: i16(contours.length),
    box: boxOf(points).map(i16),
    ends,
    instructionLength: u16(0),
  });
  const flags = Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? 1 : 0)));
  const steps = (axis: "x" | "y") =>
    numbers(...points.map((point, i) => i16(point[axis] - (points[i - 1]?.[axis] ?? 0))));
  return padded(Buffer.concat([header, flags, steps("x"), steps("y")]));
}

const padded = (data: Buffer): Buffer =>
  Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);

const loca = (shapes: Buffer[]): Buffer => numbers(u32(0), ...runningTotals(shapes).map(u32));

/** Returns, for each list, the sum of the lengths up to and including it. */
function runningTotals(lists: { length: number }[]): number[] {
  let total = 0;
  return lists.map(({ length }) => {
    total += length;
    return total;
  });
}

function head({ unitsPerEm }: FontMetrics, box: number[]): Buffer {
  return table({
    version: u32(0x00010000),
    fontRevision: u32(0x00010000),
    checksumAdjustment: u32(0),
    magicNumber: u32(0x5f0f3cf5),
    flags: u16(0b1011),
    unitsPerEm: u16(unitsPerEm),
    createdAndModified: zeros(4),
    box: box.map(i16),
    macStyle: u16(0),
    lowestRecPPEM: u16(8),
    fontDirectionHint: i16(2),
    indexToLocFormat: i16(1),
    glyphDataFormat: i16(0),
  });
}

function hhea({ ascent, descent }: FontMetrics, glyphs: FontGlyph[]): Buffer {
  const widest = Math.max(...glyphs.map(({ width }) => width));
  return table({
    version: u32(0x00010000),
    ascender: i16(ascent),
    descender: i16(-descent),
    lineGap: i16(0),
    advanceWidthMax: u16(widest),
    minLeftSideBearing: i16(0),
    minRightSideBearing: i16(0),
    xMaxExtent: i16(widest),
    caretSlopeRise: i16(1),
    caretSlopeRun: i16(0),
    caretOffset: i16(0),
    reserved: zeros(2),
    metricDataFormat: i16(0),
    numberOfHMetrics: u16(glyphs.length),
  });
}

const hmtx = (glyphs: FontGlyph[]): Buffer =>
  numbers(...glyphs.flatMap(({ width, contours }) => [u16(width), i16(boxOf(contours.flat())[0])]));

function maxp(glyphs: FontGlyph[]): Buffer {
  const largest = (count: (glyph: FontGlyph) => number) => u16(Math.max(...glyphs.map(count)));
  return table({
    version: u32(0x00010000),
    numGlyphs: u16(glyphs.length),
    maxPoints: largest(({ contours }) => contours.flat().length),
    maxContours: largest(({ contours }) => contours.length),
    maxCompositePoints: u16(0),
    maxCompositeContours: u16(0),
    maxZones: u16(1),
    // Glyphs have no instructions and no components.
    otherLimits: zeros(4),
  });
}

/** The table of code points: format 4, with one segment for each character. */
function cmap(glyphs: FontGlyph[]): Buffer {
  const codes = glyphs.flatMap(({ codePoint }, index) =>
    codePoint === undefined ? [] : [{ codePoint, delta: (index - codePoint) & 0xffff }],
  );
  const segments = [...codes, { codePoint: 0xffff, delta: 1 }];
  const count = segments.length;
  const ends = segments.map(({ codePoint }) => u16(codePoint));
  return table({
    version: u16(0),
    numTables: u16(1),
    platformId: u16(3),
    encodingId: u16(1),
    subtableOffset: u32(12),
    format: u16(4),
    length: u16(16 + count * 8),
    language: u16(0),
    segCountX2: u16(count * 2),
    ...searchFields(count, 2),
    endCodes: ends,
    reservedPad: u16(0),
    startCodes: ends,
    idDeltas: segments.map(({ delta }) => u16(delta)),
    idRangeOffsets: segments.map(() => u16(0)),
  });
}

/** The fields by which a reader searches a number of entries, each of `size` bytes. */
function searchFields(count: number, size: number): Record<string, Field> {
  const power = 2 ** Math.floor(Math.log2(count));
  return {
    searchRange: u16(power * size),
    entrySelector: u16(Math.log2(power)),
    rangeShift: u16((count - power) * size),
  };
}

function os2(metrics: FontMetrics, glyphs: FontGlyph[]): Buffer {
  const { ascent, descent, xHeight, capHeight } = metrics;
  const codes = glyphs.flatMap(({ codePoint }) => codePoint ?? []);
  const average = glyphs.reduce((sum, { width }) => sum + width, 0) / glyphs.length;
  return table({
    version: u16(4),
    xAvgCharWidth: i16(Math.round(average)),
    usWeightClass: u16(400),
    usWidthClass: u16(5),
    fsType: u16(0),
    subscriptSuperscriptAndStrikeout: zeros(5),
    sFamilyClass: i16(0x0a00),
    panose: [u16(0), ...zeros(2)],
    ulUnicodeRange: zeros(4),
    achVendID: u32(0x20202020),
    fsSelection: u16(0x40),
    usFirstCharIndex: u16(Math.min(...codes)),
    usLastCharIndex: u16(Math.max(...codes)),
    sTypoAscender: i16(ascent),
    sTypoDescender: i16(-descent),
    sTypoLineGap: i16(0),
    usWinAscent: u16(ascent),
    usWinDescent: u16(descent),
    ulCodePageRange: zeros(2),
    sxHeight: i16(xHeight),
    sCapHeight: i16(capHeight),
    usDefaultChar: u16(0),
    usBreakChar: u16(32),
    usMaxContext: u16(1),
  });
}

function withDirectory(tables: Record<string, Buffer>): Buffer {
  const entries = Object.entries(tables);
  let at = 12 + entries.length * 16;
  const records = entries.map(([tag, data]) => {
    const record = Buffer.concat([
      Buffer.from(tag, "latin1"),
      table({ checksum: u32(checksum(data)), offset: u32(at), length: u32(data.length) }),
    ]);
    at += padded(data).length;
    return record;
  });
  const header = table({
    sfntVersion: u32(0x00010000),
    numTables: u16(entries.length),
    ...searchFields(entries.length, 16),
  });
  const font = Buffer.concat([header, ...records, ...entries.map(([, data]) => padded(data))]);
  // The adjustment, at byte 8 of the table head, makes the checksum of the font 0xb1b0afba.
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
