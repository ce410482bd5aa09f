/**
 * The third-party parts of the executable. Vite lists the packages that it has bundled for the browser and for the
 * server. Fonts, Node, SQLite with its addon, the libraries in WebAssembly files and the loader of the executable are
 * added here, because no bundler sees them.
 * Run after the build.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { sqliteVersion } from "../db/sqlite/sqlite-version.ts";

export interface Part {
  name: string;
  version: string;
  /** SPDX expression. */
  identifier: string;
  text: string;
}

const root = path.join(import.meta.dirname, "..");
export const read = (file: string) => readFileSync(path.join(root, file), "utf8").trim();

/** Packages from the npm registry, sorted by name. */
export function packages(): Part[] {
  const bundled = ["client", "server"].flatMap((side): Part[] =>
    JSON.parse(read(`build/${side}/licenses.json`)),
  );
  const added = [
    "better-sqlite3",
    "@yao-pkg/pkg",
    "@fontsource-variable/inter",
    "@fontsource-variable/source-serif-4",
  ].map((name): Part => {
    const { version, license } = JSON.parse(read(`node_modules/${name}/package.json`));
    return { name, version, identifier: license, text: read(`node_modules/${name}/LICENSE`) };
  });
  const unique = new Map(
    [...bundled, ...added].map((part) => [`${part.name}@${part.version}`, part]),
  );
  return [...unique.values()].map(withText).sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * Returns a part with the text of its licence. Some packages have the text at the end of their README. drizzle-orm has
 * none, so it gets the text of lighthouse, which has the same licence.
 */
function withText(part: Part): Part {
  const { name, identifier, text } = part;
  if (text) return part;
  const readme = read(`node_modules/${name}/README.md`);
  const [, inReadme] = /^#+ licen[sc]e\s+(.*Permission is hereby granted.*)/ims.exec(readme) ?? [];
  if (inReadme) return { ...part, text: inReadme };
  if (identifier !== "Apache-2.0") throw new Error(`No licence text was found of ${name}.`);
  return { ...part, text: read("node_modules/lighthouse/LICENSE") };
}

export const sqlite = (): Part => ({
  name: "SQLite",
  version: sqliteVersion(),
  identifier: "blessing",
  text: "SQLite is in the public domain: https://www.sqlite.org/copyright.html",
});

/** The libraries in the WebAssembly files of packages, which have licences of their own. */
export const wasmLibraries = (): Part[] => [
  {
    name: "PDFium",
    version: "in @embedpdf/pdfium",
    identifier: "BSD-3-Clause AND Apache-2.0",
    text: `${read("node_modules/@embedpdf/pdfium/LICENSE.pdfium")}

PDFium contains Abseil (Apache-2.0), Anti-Grain Geometry 2.3, FreeType (FTL), ICU (Unicode-3.0), Little CMS (MIT), libjpeg-turbo
(IJG AND BSD-3-Clause AND Zlib), libpng (libpng-2.0), OpenJPEG (BSD-2-Clause) and zlib (Zlib). Portions of this software
are copyright The FreeType Project (www.freetype.org). This software is based in part on the work of the Independent
JPEG Group.`,
  },
  {
    name: "libwebp",
    version: "in @jsquash/webp",
    identifier: "BSD-3-Clause",
    text: read("node_modules/@jsquash/webp/codec/LICENSE.codec.md"),
  },
  {
    name: "ZXing-C++",
    version: "in zxing-wasm",
    identifier: "Apache-2.0 AND BSD-3-Clause",
    text: `${read("node_modules/lighthouse/LICENSE")}

ZXing-C++ contains Zint (BSD-3-Clause, copyright Robin Stuart and others), which writes the codes.`,
  },
];

/** Node, whose licence has the licences of its libraries, too. */
export const node = (): Part => ({
  name: "Node.js",
  version: process.versions.node,
  identifier: "MIT",
  text: read(`node_modules/node-linux-${process.arch}/LICENSE`),
});
