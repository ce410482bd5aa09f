/** How dark the parts of a scanned page are. */
import type { PagePixels } from "./pdf-pages.ts";

/** The side of the squares that a page is divided into, in pixels: a scanner's noise averages out in them. */
export const square = 4;
/** The share of a page's height and width that is left out at each edge, where shadows, holes and staples are. */
const edge = 0.04;
/** How much darker than paper a square with a pencil's line is, of 255. */
const contrast = 24;

/** The squares of a page without its edges, row by row. */
export interface PageShades {
  columns: number;
  rows: number;
  /** The left edge of the first square, in pixels. */
  left: number;
  /** The top edge of the first square, in pixels. */
  top: number;
  shades: Uint8Array;
  /** A square with a darker shade than this stands out from the paper. */
  threshold: number;
}

export function shadesOf({ pixels, width, height }: PagePixels): PageShades {
  const [left, top] = [Math.round(width * edge), Math.round(height * edge)];
  const columns = Math.floor((width - 2 * left) / square);
  const rows = Math.floor((height - 2 * top) / square);
  const shades = new Uint8Array(columns * rows);
  /** How many squares have each shade. */
  const counts = new Uint32Array(256);
  for (let at = 0; at < shades.length; at += 1) {
    const x = left + (at % columns) * square;
    const y = top + Math.floor(at / columns) * square;
    const shade = meanGreen(pixels, width, x, y);
    shades[at] = shade;
    counts[shade]! += 1;
  }
  const threshold = Math.max(0, medianOf(counts, shades.length) - contrast);
  return { columns, rows, left, top, shades, threshold };
}

/** The median shade. @param counts how many of all squares have each shade */
function medianOf(counts: Uint32Array, total: number): number {
  let darker = 0;
  return counts.findIndex((count) => {
    darker += count;
    return darker >= total / 2;
  });
}

/** The mean of the green channel, which is closest to brightness. */
function meanGreen(pixels: Uint8Array, width: number, left: number, top: number): number {
  let sum = 0;
  for (let y = top; y < top + square; y += 1) {
    for (let x = left; x < left + square; x += 1) sum += pixels[4 * (y * width + x) + 1]!;
  }
  return Math.floor(sum / square ** 2);
}
