/** What the pages of a scanned class are: cover sheets, blank pages, and the others. */
import type { PagePixels, PageReader } from "./pdf-pages.ts";
import { readSheetCode } from "./sheet-code.ts";

/** A page is looked at in squares, in which the noise of a scanner averages out. In pixels. */
const square = 4;
/** Of the page's height and width: its edges have shadows, holes and staples. */
const edge = 0.04;
/** By how much a square with a pencil's line is darker than paper, of 255. */
const contrast = 24;
/** Of all squares. A few are dust. */
const maxDark = 0.0002;

export const scanReader: PageReader = {
  maxPages: 2000,
  async frameOf(picture) {
    const { page, pixels, width, height } = picture;
    const data = new Uint8ClampedArray(pixels.buffer);
    const code = await readSheetCode({ data, width, height });
    return {
      scanned: { page, sheet: null, turn: 0, ...code, isBlank: !code && isBlank(picture) },
    };
  },
};

/** Whether nothing stands out from the paper. */
function isBlank({ pixels, width, height }: PagePixels): boolean {
  /** How many squares have each shade. */
  const squares = new Uint32Array(256);
  let count = 0;
  const [marginX, marginY] = [Math.round(width * edge), Math.round(height * edge)];
  for (let top = marginY; top + square <= height - marginY; top += square) {
    for (let left = marginX; left + square <= width - marginX; left += square) {
      squares[meanGreen(pixels, width, left, top)]! += 1;
      count += 1;
    }
  }
  let paper = 0;
  for (let darker = squares[0]!; darker < count / 2; darker += squares[paper]!) paper += 1;
  const dark = squares.subarray(0, Math.max(0, paper - contrast)).reduce((sum, n) => sum + n, 0);
  return dark <= count * maxDark;
}

function meanGreen(pixels: Uint8Array, width: number, left: number, top: number): number {
  let sum = 0;
  for (let y = top; y < top + square; y += 1) {
    for (let x = left; x < left + square; x += 1) sum += pixels[4 * (y * width + x) + 1]!;
  }
  return Math.floor(sum / square ** 2);
}
