/**
 * Renders the social cards into .cache/cards/: one for the site, one for each built-in article, and
 * one without a name for installations with another brand. Part of the build; needs no browser.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { defaultName } from "../app/brand.ts";
import {
  type CardText,
  cardName,
  siteTitle,
  titleForOthers,
} from "../app/server/content/card-name.ts";
import { readArticles } from "../app/server/content/read-articles.ts";
import { card, height, palette, width } from "./cards/card.ts";
import { palettePng } from "./cards/palette-png.ts";
import { loadSvg } from "./cards/svg.ts";

const root = path.join(import.meta.dirname, "..");
const folder = path.join(root, ".cache/cards");
const content = path.join(root, "content");

const files = globSync("articles/*.md", { cwd: content }).map((file): [string, string] => [
  file,
  readFileSync(path.join(content, file), "utf8"),
]);
const values = { product: defaultName, slug: defaultName.toLowerCase(), maxFileMegabytes: "2" };
const found = { links: [], errors: [], warnings: [] };
const articles = readArticles(new Map(files), values, false, found);
// An article that cannot be read would get no card of its own.
if (found.errors.length > 0) throw new Error(JSON.stringify(found.errors));
const texts: CardText[] = [
  { name: undefined, title: titleForOthers },
  { name: defaultName, title: siteTitle },
  ...articles.map(({ title, category }) => ({ name: defaultName, category, title })),
];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const text of texts) {
  const { pixels } = loadSvg(card(text)).render();
  const file = path.join(folder, `${cardName(text)}.png`);
  writeFileSync(file, palettePng(pixels, width, height, palette));
}
