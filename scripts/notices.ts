/**
 * Writes build/server/licenses.txt: the program's licence, then those of everything that is in the executable.
 * Vite lists the packages that it has bundled for the browser and for the server; fonts, Node, SQLite and the
 * loader of the executable are added here, because no bundler sees them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

interface Licensed {
  name: string;
  version: string;
  /** SPDX expression. */
  identifier?: string;
  text?: string;
}

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8").trim();

const bundled = ["client", "server"].flatMap((side): Licensed[] =>
  JSON.parse(read(`build/${side}/licenses.json`)),
);
const added = [
  "better-sqlite3",
  "@yao-pkg/pkg",
  "@fontsource-variable/inter",
  "@fontsource-variable/source-serif-4",
].map((name): Licensed => {
  const { version, license } = JSON.parse(read(`node_modules/${name}/package.json`));
  return { name, version, identifier: license, text: read(`node_modules/${name}/LICENSE`) };
});
const sqlite: Licensed = {
  name: "SQLite",
  version: "part of better-sqlite3",
  identifier: "blessing",
  text: "SQLite is in the public domain: https://www.sqlite.org/copyright.html",
};
const node: Licensed = {
  name: "Node.js",
  version: process.versions.node,
  identifier: "MIT",
  text: read(`node_modules/node-linux-${process.arch}/LICENSE`),
};

const byName = new Map(
  [...bundled, ...added, sqlite].map((one) => [`${one.name} ${one.version}`, one]),
);
const parts = [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
// drizzle-orm names its licence without shipping the text; lighthouse ships the text of the same licence unfilled.
for (const one of parts) {
  if (!one.text && one.identifier === "Apache-2.0")
    one.text = read("node_modules/lighthouse/LICENSE");
}
const missing = parts.filter(({ text }) => !text).map(({ name }) => name);
if (missing.length > 0) throw new Error(`No licence text was found of ${missing.join(", ")}.`);

const notices = [...parts, node].map(
  ({ name, version, identifier, text }) => `${name} ${version} (${identifier})\n\n${text}\n`,
);
const line = `\n${"-".repeat(78)}\n\n`;
writeFileSync(
  path.join(root, "build/server/licenses.txt"),
  [
    `${read("LICENSE")}\n`,
    "The program contains the following parts of others.\n",
    ...notices,
  ].join(line),
);
