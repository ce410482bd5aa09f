/** The content that `content export` writes, for tests that change it as an institution does. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Scope, wholeFile } from "./at-end.ts";
import { succeeded } from "./output-of.ts";
import { newFolder, runCommand } from "./server.ts";

const articleFolder = path.join(import.meta.dirname, "../../content/articles");

/** The text of a built-in article, without its front matter. */
export const bodyOf = (file: string) =>
  readFileSync(path.join(articleFolder, file), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");

let exported: Promise<string> | undefined;

async function exportOnce(): Promise<string> {
  const folder = newFolder(wholeFile);
  await succeeded(runCommand(folder, ["content", "export", "own", "--articles"]));
  return path.join(folder, "own");
}

/**
 * Exports the content to the folder "own" of a new folder. Files are named by their paths in it.
 * @param options.articles false leaves out the articles, all of which a server checks at each start
 */
export async function exportContent(t: Scope, { articles = true } = {}) {
  exported ??= exportOnce();
  const folder = newFolder(t);
  const own = path.join(folder, "own");
  cpSync(await exported, own, { recursive: true });
  if (!articles)
    for (const part of ["articles", "downloads", "blog.yaml"])
      rmSync(path.join(own, part), { recursive: true });
  const read = (file: string) => readFileSync(path.join(own, file), "utf8");
  const put = (file: string, text: string | Buffer = "") => {
    const target = path.join(own, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  /** Replaces text that is there; a `$` in the new text is itself. */
  const change = (file: string, from: RegExp | string, to: string | ((old: string) => string)) => {
    const text = read(file);
    const changed = text.replace(from, typeof to === "string" ? () => to : to);
    assert.notEqual(changed, text, file);
    put(file, changed);
  };
  const check = () => runCommand(folder, ["config", "check"], { RUBRICON_CONTENT_DIR: "own" });
  return { folder, own, read, put, change, check };
}
