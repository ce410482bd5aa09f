/** What the pages of a scanned class are: cover sheets, blank pages, and the others. */
import { type PageShades, shadesOf } from "./page-shades.ts";
import type { PageReader } from "./pdf-pages.ts";
import { readSheetCode } from "./sheet-code.ts";
import { hasWriting } from "./sheet-writing.ts";

/** The share of dark squares on a blank page: a few are dust. */
const maxDark = 0.0002;

export const scanReader: PageReader = {
  maxPages: 2000,
  async frameOf(picture) {
    const { page, pixels, width, height } = picture;
    const data = new Uint8ClampedArray(pixels.buffer);
    const code = await readSheetCode({ data, width, height });
    const shades = shadesOf(picture);
    if (!code) return { scanned: { page, sheetNumber: null, turn: 0, isBlank: isBlank(shades) } };
    const { corners, ...sheet } = code;
    const isWrittenOn = hasWriting(shades, picture, code);
    return { scanned: { page, ...sheet, isBlank: false, isWrittenOn } };
  },
};

/** Whether nothing but dust stands out from the paper. */
function isBlank({ shades, threshold }: PageShades): boolean {
  const dark = shades.reduce((sum, shade) => sum + (shade < threshold ? 1 : 0), 0);
  return dark <= shades.length * maxDark;
}
