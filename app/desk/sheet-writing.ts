/** Whether a cover sheet has writing on it, besides what is printed there. */
import { type PageShades, square } from "./page-shades.ts";
import {
  codePlaces,
  codeSide,
  lineSpacing,
  linesGap,
  linesY,
  nameTop,
  paper,
  sheetLines,
  textSizes,
  tickBox,
} from "./sheet-layout.ts";

export interface Point {
  x: number;
  y: number;
}

/** The corners of a code as it is read, in pixels. */
export type CodeCorners = Record<"topLeft" | "topRight" | "bottomRight" | "bottomLeft", Point>;

/** A rectangle on the sheet, in points from its upper left corner. */
interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Points around each printed area that count as printed, because paper and scanner distort it. */
const slack = 8;
/** Points from each edge of the sheet in which nothing is looked for: holes, staples and shadows are there. */
const margin = 48;
/** A column or row with a larger dark share is dirt in the scanner, which makes a line along all of a page. */
const streak = 0.7;
/** The min size of a word, in points; specks of dirt are smaller. */
const minWord = 13;
/** The min sum of the sizes of written words, in points (25 mm); a staple, a stain or the end of a tick has less. */
const minLine = 70;
/** The max gap between two words of a name, in points. */
const maxGap = 20;
/** A line of a name that reaches this share of the sheet's width may be followed by another line. */
const longName = 0.6;
const maxNameLines = 6;
/** How far the middle of a sheet may be from the middle of the picture, as a part of the picture's width. */
const maxShift = 0.15;

/**
 * Whether a cover sheet may have writing on it.
 * @param code `sheetNumber`: the number printed below the name; `corners`: the corners of each code that can be read
 */
export function hasWriting(
  shades: PageShades,
  picture: { width: number; height: number },
  code: { sheetNumber: string; corners: CodeCorners[] },
): boolean {
  const found = sheetIn(picture, code.corners);
  // The print of another kind of sheet is unknown, so the sheet counts as written on.
  if (!found) return true;
  const dark = darkSquares(shades, found.toSheet);
  const printed = [...printedAreas, ...nameAreas(dark, code.sheetNumber)];
  const written = new Set(
    [...dark].flatMap(([at, point]) => (printed.some((area) => isIn(area, point)) ? [] : at)),
  );
  const words = wordSizes(written, shades.columns)
    .map((squares) => (squares * square) / found.scale)
    .filter((size) => size >= minWord);
  return words.reduce((sum, size) => sum + size, 0) >= minLine;
}

const isIn = ({ left, top, right, bottom }: Area, { x, y }: Point) =>
  x >= left && x <= right && y >= top && y <= bottom;

/** The rectangle at a place, with `slack` around it. */
const around = (left: number, top: number, width: number, height: number): Area => ({
  left: left - slack,
  top: top - slack,
  right: left + width + slack,
  bottom: top + height + slack,
});

/** The areas of print at known places. The area of the box is larger, because a tick may leave the box. */
const printedAreas: Area[] = [
  ...codePlaces.map(({ x, y }) => around(x, y, codeSide, codeSide)),
  ...sheetLines.map((line, index) =>
    around(
      paper.margin,
      linesY + index * linesGap - textSizes.body,
      0.5 * textSizes.body * line.length,
      1.3 * textSizes.body,
    ),
  ),
  around(tickBox.x - 10, tickBox.y - 25, 80, tickBox.side + 35),
];

/** The areas of the name's lines, which end where the print ends, and the area of the number below. */
function nameAreas(dark: Map<number, Point>, number: string): Area[] {
  const areas: Area[] = [];
  const height = lineSpacing * textSizes.title;
  const bandOf = (line: number) =>
    around(
      paper.margin,
      nameTop + line * height,
      0.7 * textSizes.heading * `Number ${number}`.length,
      height,
    );
  for (let line = 0; ; line += 1) {
    const band = bandOf(line);
    // The band without its slack and without descenders of the line above.
    const core = {
      ...band,
      right: paper.width,
      top: band.top + slack + 12,
      bottom: band.bottom - slack,
    };
    const inkXs = [...dark.values()].filter((point) => isIn(core, point)).map(({ x }) => x);
    const right = inkXs
      .sort((one, other) => one - other)
      .reduce((end, x) => (x <= end + maxGap ? Math.max(end, x) : end), paper.margin);
    areas.push({ ...band, right });
    const isLong = right - paper.margin > longName * (paper.width - 2 * paper.margin);
    if (!isLong || line + 1 === maxNameLines) return [...areas, bandOf(line + 1)];
  }
}

/** Where the sheet is in a picture, by its codes; undefined if the codes are not where a sheet has them. */
function sheetIn(
  { width, height }: { width: number; height: number },
  codes: CodeCorners[],
): { toSheet: (pixel: Point) => Point; scale: number } | undefined {
  const middle = { x: paper.width / 2, y: paper.height / 2 };
  const shiftOf = (fit: Fit) => {
    const { x, y } = fit.toPicture(middle);
    return Math.hypot(x - width / 2, y - height / 2) / width;
  };
  // The two codes look the same: take each for the one that puts the sheet nearer to the middle of the picture.
  const pairs = codes.flatMap((corners) => {
    const one = pairsOf(codePlaces[0], corners);
    const other = pairsOf(codePlaces[1], corners);
    return shiftOf(fitTo(one)) < shiftOf(fitTo(other)) ? one : other;
  });
  const fit = fitTo(pairs);
  return shiftOf(fit) < maxShift ? fit : undefined;
}

interface Pair {
  onSheet: Point;
  inPicture: Point;
}

/** Pairs the corners of a code with where they are printed. @param place the upper left corner on the sheet */
function pairsOf(
  place: Point,
  { topLeft, topRight, bottomRight, bottomLeft }: CodeCorners,
): Pair[] {
  const [right, bottom] = [place.x + codeSide, place.y + codeSide];
  return [
    { inPicture: topLeft, onSheet: place },
    { inPicture: topRight, onSheet: { x: right, y: place.y } },
    { inPicture: bottomRight, onSheet: { x: right, y: bottom } },
    { inPicture: bottomLeft, onSheet: { x: place.x, y: bottom } },
  ];
}

interface Fit {
  toSheet: (pixel: Point) => Point;
  toPicture: (point: Point) => Point;
  /** Pixels per point. */
  scale: number;
}

/** The turn, scale and shift that fit pairs of points best, by least squares. */
function fitTo(pairs: Pair[]): Fit {
  const meanOf = (points: Point[]) => ({
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  });
  const from = meanOf(pairs.map(({ onSheet }) => onSheet));
  const to = meanOf(pairs.map(({ inPicture }) => inPicture));
  let [cos, sin, size] = [0, 0, 0];
  for (const { onSheet, inPicture } of pairs) {
    const [px, py] = [onSheet.x - from.x, onSheet.y - from.y];
    const [qx, qy] = [inPicture.x - to.x, inPicture.y - to.y];
    cos += px * qx + py * qy;
    sin += px * qy - py * qx;
    size += px ** 2 + py ** 2;
  }
  cos /= size;
  sin /= size;
  const scale = Math.hypot(cos, sin);
  return {
    scale,
    toPicture: ({ x, y }) => ({
      x: to.x + cos * (x - from.x) - sin * (y - from.y),
      y: to.y + sin * (x - from.x) + cos * (y - from.y),
    }),
    toSheet: ({ x, y }) => ({
      x: from.x + (cos * (x - to.x) + sin * (y - to.y)) / scale ** 2,
      y: from.y + (cos * (y - to.y) - sin * (x - to.x)) / scale ** 2,
    }),
  };
}

/** The squares darker than the paper, with their places on the sheet, without its margins and lines of dirt. */
function darkSquares(
  { shades, columns, rows, left, top, threshold }: PageShades,
  toSheet: (pixel: Point) => Point,
): Map<number, Point> {
  const inside = {
    left: margin,
    top: margin,
    right: paper.width - margin,
    bottom: paper.height - margin,
  };
  const [inColumn, inRow] = [new Uint32Array(columns), new Uint32Array(rows)];
  shades.forEach((shade, at) => {
    if (shade >= threshold) return;
    inColumn[at % columns]! += 1;
    inRow[Math.floor(at / columns)]! += 1;
  });
  const dark = new Map<number, Point>();
  shades.forEach((shade, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const isStreak = inColumn[column]! > streak * rows || inRow[row]! > streak * columns;
    if (shade >= threshold || isStreak) return;
    const point = toSheet({
      x: left + (column + 0.5) * square,
      y: top + (row + 0.5) * square,
    });
    if (isIn(inside, point)) dark.set(at, point);
  });
  return dark;
}

/** The longer side of each word, in squares. A word is a group of squares with gaps of at most one square. */
function wordSizes(squares: Set<number>, columns: number): number[] {
  const sizes: number[] = [];
  const ungrouped = new Set(squares);
  const near = [-2, -1, 0, 1, 2];
  const offsets = near.flatMap((dy) => near.map((dx) => dy * columns + dx));
  for (const first of squares) {
    if (!ungrouped.delete(first)) continue;
    const group = [first];
    for (const at of group) {
      for (const offset of offsets) if (ungrouped.delete(at + offset)) group.push(at + offset);
    }
    const xs = group.map((at) => at % columns);
    const ys = group.map((at) => Math.floor(at / columns));
    sizes.push(1 + Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)));
  }
  return sizes;
}
