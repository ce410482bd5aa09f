/** The documents: their links, contents, commands, flags and lengths. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { releaseDocuments } from "../scripts/release-folder.ts";
import { readRunbook } from "./support/runbook.ts";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) =>
  readFileSync(path.join(root, file), "utf8").replace(/^```.*?^```/gms, "");

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith(".md")),
];

/** The documents in docs/ that show commands. */
const guides = ["marking-commands.md", "operating.md", "scaling.md", "start.md", "your-words.md"];

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string, level = "#+") =>
  [...text.matchAll(new RegExp(`^${level} (.*)$`, "gm"))].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, "")
      .replaceAll(" ", "-"),
  );

test("links between documents lead to files and headings that exist", () => {
  let count = 0;
  for (const document of documents) {
    for (const [link, target] of read(document).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)) {
      const [file, anchor] = target!.split("#") as [string, string?];
      const linked = file ? path.join(path.dirname(document), file) : document;
      assert.ok(existsSync(path.join(root, linked)), `${document}: ${link}`);
      if (anchor) assert.ok(anchorsOf(read(linked)).includes(anchor), `${document}: ${link}`);
      count += 1;
    }
  }
  assert.ok(count > 100, `${count} links`);
});

test("a document of a release says of another that the release lacks that it is in the source", () => {
  for (const document of releaseDocuments.filter((name) => name.endsWith(".md"))) {
    for (const paragraph of read(document).split(/\n(?=\n|- |\d+\. |\| )/)) {
      const targets = [...paragraph.matchAll(/\]\((?!https?:|#)([^)#\s]*)/g)].map(([, target]) =>
        path.join(path.dirname(document), target!),
      );
      const lacking = targets.filter(
        (target) => /^(docs\/|[A-Z]+\.md)/.test(target) && !releaseDocuments.includes(target),
      );
      assert.ok(lacking.length === 0 || /\bsource\b/.test(paragraph), `${document}: ${paragraph}`);
    }
  }
});

test("the contents list of docs/operating.md has every section in order", () => {
  const text = read("docs/operating.md");
  const listed = [...text.matchAll(/^- \[.*\]\(#(.*)\)$/gm)].map(([, anchor]) => anchor);
  assert.deepEqual(listed, anchorsOf(text, "##"));
});

test("no setting is set twice by the commands of start.md and your-words.md", () => {
  const commands = readRunbook("start.md", "your-words.md").map(({ script }) => script);
  const names = commands.join("").match(/(?<=^(echo )?)RUBRICON_\w+(?==)/gm)!;
  assert.ok(names.length > 7, `${names.length} settings`);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test("shell blocks of the guides use the account of the server: rubricon-admin, or runuser", () => {
  for (const name of guides) {
    const text = readFileSync(path.join(root, "docs", name), "utf8");
    const blocks = [...text.matchAll(/^```sh.*\n([\s\S]*?)^```/gm)];
    const commands = blocks.flatMap(([, script]) => script!.split("\n"));
    assert.ok(
      commands.some((command) => command.startsWith("rubricon-admin ")),
      name,
    );
    // The commands in brackets read no data, and may be run before there is an account.
    const needsAccount = /(^|[;&|(] *)rubricon (?!version$|(config init|content export) )/;
    assert.deepEqual(
      commands.filter((command) => needsAccount.test(command)),
      [],
      name,
    );
  }
});

test("every flag of a command is in a guide", () => {
  const commands = path.join(root, "app/server/cli");
  const sources = readdirSync(commands).map((name) =>
    readFileSync(path.join(commands, name), "utf8"),
  );
  const flags = new Set(
    [...sources.join("").matchAll(/[oO]ption\(\s*"(?:-\w, )?(--[a-z-]+)/g)].map(
      ([, flag]) => flag!,
    ),
  );
  // --scan is a flag of a hidden command.
  flags.delete("--scan");
  assert.ok(flags.size > 40, `${flags.size} flags`);
  const text = guides.map((name) => readFileSync(path.join(root, "docs", name), "utf8")).join("\n");
  assert.deepEqual(
    [...flags].filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(text)),
    [],
  );
});

test("the guides for users have at most the words that each is allowed", () => {
  const limits = {
    "start.md": 1500,
    "operating.md": 7000,
    "marking.md": 2000,
    "marking-commands.md": 2500,
  };
  for (const [name, max] of Object.entries(limits)) {
    const words = readFileSync(path.join(root, "docs", name), "utf8").split(/\s+/).length;
    assert.ok(words <= max, `${name} has ${words} words`);
  }
});
