import { existsSync } from "node:fs";
import path from "node:path";
import { readOwnFiles } from "./content-folder.ts";

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
 * @throws WrongContent
 */
export function contentFiles(folder: string | undefined): ContentFiles {
  if (!folder) return builtInFiles();
  const hasArticles = existsSync(path.join(folder, "articles"));
  const isArticle = (file: string) => file.startsWith("articles/");
  const other = [...builtIn.keys()].filter((file) => !isArticle(file));
  const kept = [...builtIn].filter(([file]) => !(hasArticles && isArticle(file)));
  return new Map([...kept, ...readOwnFiles(folder, other)]);
}
