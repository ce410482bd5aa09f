/** How stamps are drawn, on screen and in PDF files. The shorter side of a page is a thousand units. */
import type { PageTurn, Stamp, StampKind } from "./stamp.ts";

/** SVG paths around the place of a stamp, in units: only M, L and C with absolute numbers, as the PDF needs them. */
export const stampPaths: Record<Exclude<StampKind, "comment">, string> = {
  tick: "M-21 3 C-15 6 -10 12 -7 19 C0 4 9 -9 21 -19",
  cross: "M-16 -17 C-6 -6 6 5 16 16 M15 -16 C6 -5 -6 7 -16 17",
  question:
    "M-10.5 -10 C-10 -17.5 -5 -20.5 0 -20.5 C6 -20.5 10.5 -17 10.5 -11.5 C10.5 -3.5 0 -3 0 8 M0 19.5 L0 20.5",
};

/** The pen, its white halo, the dot of a comment and the writing, in units. */
export const penWidth = 5;
export const haloWidth = 11;
export const dotRadius = 5;
export const textSize = 30;
export const lineHeight = 32;

/** Upper bound for the average width of a character in the handwriting font. */
const characterWidth = textSize / 2;
const margin = 24;
const minCharacters = 10;
const maxCharacters = 34;

export interface DrawnStamp {
  stamp: Stamp;
  /** The middle of the stamp's mark, in units from the top left corner of the page as it is read. */
  x: number;
  y: number;
  /** The lines of a comment, which start or end at the mark. */
  lines: string[];
  anchor: "start" | "end";
  /** The middle of the first line. */
  firstLineY: number;
}

interface PageSize {
  width: number;
  height: number;
}

export const turnedSize = ({ width, height }: PageSize, turn: PageTurn): PageSize =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/** Where a place on a page is once the page is turned, as shares of width and height. */
function turnedPlace({ x, y }: { x: number; y: number }, turn: PageTurn) {
  if (turn === 90) return { x: 1 - y, y: x };
  if (turn === 180) return { x: 1 - x, y: 1 - y };
  return turn === 270 ? { x: y, y: 1 - x } : { x, y };
}

/** The inverse of `turnedPlace`. */
export const placeBeforeTurn = (place: { x: number; y: number }, turn: PageTurn) =>
  turnedPlace(place, ((360 - turn) % 360) as PageTurn);

/** The size of a page in units, as it is read. */
export function sizeInUnits(page: PageSize, turn: PageTurn): PageSize {
  const { width, height } = turnedSize(page, turn);
  const shorter = Math.min(width, height);
  return { width: (1000 * width) / shorter, height: (1000 * height) / shorter };
}

/** Lays out the stamps of a page. Those without a place are at its top right corner, one below the other. */
export function drawStamps(stamps: readonly Stamp[], page: PageSize, turn: PageTurn): DrawnStamp[] {
  const size = sizeInUnits(page, turn);
  let top = 2 * margin;
  return stamps.map((stamp) => {
    if (stamp.x !== null && stamp.y !== null) {
      const at = turnedPlace({ x: stamp.x, y: stamp.y }, turn);
      return drawn(stamp, { x: at.x * size.width, y: at.y * size.height }, size);
    }
    const one = drawn(stamp, { x: size.width - 2 * margin, y: top }, size);
    top += Math.max(1, one.lines.length) * lineHeight + margin;
    return one;
  });
}

/** Lays out a stamp at a place; the lines of a comment are on the side that has room. */
function drawn(stamp: Stamp, { x, y }: { x: number; y: number }, size: PageSize): DrawnStamp {
  const anchor = x > 0.6 * size.width ? "end" : "start";
  const room = (anchor === "end" ? x : size.width - x) - 2 * margin;
  const characters = Math.min(
    maxCharacters,
    Math.max(minCharacters, Math.floor(room / characterWidth)),
  );
  const lines = stamp.kind === "comment" ? linesOf(stamp.text, characters) : [];
  const lowest = size.height - margin - (lines.length - 1) * lineHeight;
  return { stamp, x, y, anchor, lines, firstLineY: Math.min(y, Math.max(margin, lowest)) };
}

/** Breaks a text into lines: between words, and within words that are longer than a line. */
function linesOf(text: string, characters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= characters) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      // Code points: half of a surrogate pair cannot be drawn.
      const signs = Array.from(word);
      for (let at = 0; at < signs.length; at += characters)
        lines.push(signs.slice(at, at + characters).join(""));
    }
  }
  return lines;
}
