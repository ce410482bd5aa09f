import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import subsetFont from "subset-font";
import { escapeXml } from "../../app/domain/xml.ts";

const require = createRequire(import.meta.url);

await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
const font = await serifAt(600);
const barsWidth = boundingWidth("||");

/** Prepares an SVG for rendering. All text is set in the serif, the only font that is loaded. */
export function loadSvg(svg: string) {
  return new Resvg(svg, { font: { fontBuffers: [font] } });
}

/** Returns the advance width of a text at a font size of 1 px, including spaces at its ends. */
export const advanceWidth = (text: string) => boundingWidth(`|${text}|`) - barsWidth;

/** Returns the width of the bounding box, which excludes spaces at the ends. */
function boundingWidth(text: string): number {
  const element = `<text xml:space="preserve" font-size="100">${escapeXml(text)}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${element}</svg>`;
  return loadSvg(svg).getBBox()!.width / 100;
}

/** Returns the font in a format that resvg reads: not WOFF2, without variation axes. */
async function serifAt(wght: number): Promise<Buffer> {
  const name = "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2";
  return subsetFont(readFileSync(require.resolve(name)), undefined, {
    targetFormat: "sfnt",
    variationAxes: { wght },
    keepAllGlyphs: true,
  });
}
