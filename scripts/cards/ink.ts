import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import subsetFont from "subset-font";

const require = createRequire(import.meta.url);

await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
const font = await serifAt(600);
const barsAlone = reach("||");

/** Every text in it is written in the serif, the only font there is. */
export function draw(svg: string) {
  return new Resvg(svg, { font: { fontBuffers: [font] } });
}

/** How far the pen goes on with a text written at a size of 1 px, spaces at its ends included. */
export const advance = (text: string) => reach(`|${text}|`) - barsAlone;

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (email) => `&#${email.charCodeAt(0)};`);
}

function reach(text: string): number {
  const written = `<text xml:space="preserve" font-size="100">${escapeXml(text)}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${written}</svg>`;
  return draw(svg).getBBox()!.width / 100;
}

/** As the renderer reads it: no woff2, no axes. */
async function serifAt(wght: number): Promise<Buffer> {
  const name = "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2";
  return subsetFont(readFileSync(require.resolve(name)), undefined, {
    targetFormat: "sfnt",
    variationAxes: { wght },
    keepAllGlyphs: true,
  });
}
