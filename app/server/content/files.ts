import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Paths below the content folder, with forward slashes, and the text of each file. */
export type ContentFiles = Map<string, string>;

const builtIn: ContentFiles = new Map(
  Object.entries(
    import.meta.glob<string>("../../../content/**/*.{md,yaml}", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([file, text]) => [file.replace(/^.*?content\//, ""), text]),
);

/** What the program brings with it. */
export const builtInFiles = (): ContentFiles => new Map(builtIn);

/**
 * The content to serve. A file of the institution's own folder takes the place of the built-in one of the
 * same path; a folder of articles of its own takes the place of all built-in articles.
 */
export function contentFiles(folder: string | undefined): ContentFiles {
  if (!folder) return builtInFiles();
  const own = filesIn(folder);
  const hasArticles = existsSync(path.join(folder, "articles"));
  const kept = [...builtIn].filter(([file]) => !(hasArticles && file.startsWith("articles/")));
  return new Map([...kept, ...own]);
}

function filesIn(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(md|yaml)$/.test(file))
    .sort()
    .map((file) => [file.split(path.sep).join("/"), readFileSync(path.join(folder, file), "utf8")]);
}
