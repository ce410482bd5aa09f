/**
 * Subsets the two fonts to the characters of English and the Latin-script languages of South
 * Africa, and makes the third, a hand, from its strokes. The few accented letters outside Latin-1
 * (Venda, Northern Sotho, Afrikaans ŉ) go into separate files, which a browser downloads only for a
 * page that contains one.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import subsetFont from "subset-font";
import { scriptCharacters } from "../app/desk/script-fonts.ts";
import { handFont } from "./hand/font.ts";
import { characters as handCharacters } from "./hand/strokes.ts";

const require = createRequire(import.meta.url);
const folder = path.join(import.meta.dirname, "../.cache/fonts");

const ascii = String.fromCodePoint(...Array.from({ length: 95 }, (_, i) => 0x20 + i));
const latin = `${ascii}\u00a0áàâäéèêëíìîïóòôöúùûüýñçÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÝÑÇ©°±²³·×÷½¼¾£«»§€–—‘’“”•…−→←`;
const beyondLatin1 = "ŠšŜŝŇňŉŃńḒḓḼḽṄṅṊṋṰṱ";

const fonts = [
  { family: "inter", axes: { wght: { min: 400, max: 700 } } },
  { family: "source-serif-4", axes: { wght: 600 } },
];

type Options = Parameters<typeof subsetFont>[2];

/** Writes the two subsets of a font. @param fileOf returns the file name for the suffix of a subset, "" or "-ext" */
async function writeSubsets(family: string, fileOf: (suffix: string) => string, options: Options) {
  for (const [source, characters, suffix] of [
    ["latin", latin, ""],
    ["latin-ext", beyondLatin1, "-ext"],
  ] as const) {
    const file = require.resolve(
      `@fontsource-variable/${family}/files/${family}-${source}-wght-normal.woff2`,
    );
    const subset = await subsetFont(readFileSync(file), characters, options);
    writeFileSync(path.join(folder, fileOf(suffix)), subset);
  }
}

mkdirSync(folder, { recursive: true });
for (const { family, axes } of fonts) {
  await writeSubsets(family, (suffix) => `${family}${suffix}.woff2`, {
    targetFormat: "woff2",
    variationAxes: axes,
  });
}
writeFileSync(path.join(folder, "hand.woff2"), await handFont("woff2"));

// The same characters for PDF files, which need TrueType without axes.
await writeSubsets("inter", (suffix) => `script-text${suffix}.ttf`, {
  targetFormat: "sfnt",
  variationAxes: { wght: 400 },
});
writeFileSync(path.join(folder, "script-hand.ttf"), await handFont("sfnt"));
writeFileSync(
  path.join(folder, scriptCharacters),
  JSON.stringify([latin, beyondLatin1, ["\u00a0 ", ...handCharacters].join("")]),
);
