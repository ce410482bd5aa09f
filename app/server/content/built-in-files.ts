import { existsSync } from "node:fs";
import path from "node:path";
import { readContentFolder } from "./content-folder.ts";

/** Text of each content file, by its path below the content folder, with forward slashes. */
export type ContentFiles = Map<string, string>;

/** The file with what the blog shows beside its articles. */
export const blogFile = "blog.yaml";

const builtIn: ContentFiles = new Map(
  Object.entries(
    import.meta.glob<string>("../../../content/**/*.{md,yaml}", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([file, text]) => [file.replace(/^.*?content\//, ""), text]),
);

/** Returns the content files that are part of the program. */
export const builtInFiles = (): ContentFiles => new Map(builtIn);

/**
 * Returns the content files to serve. A file in `folder` replaces the built-in file of the same
 * path; if `folder` has a folder of articles, that replaces all built-in articles and blog.yaml,
 * which is about them.
 * @throws ContentError
 */
export function contentFiles(folder: string | undefined): ContentFiles {
  if (!folder) return builtInFiles();
  const hasArticles = existsSync(path.join(folder, "articles"));
  const isArticle = (file: string) => file.startsWith("articles/");
  const otherFiles = [...builtIn.keys()].filter((file) => !isArticle(file));
  const isAboutArticles = (file: string) => isArticle(file) || file === blogFile;
  const defaults = [...builtIn].filter(([file]) => !(hasArticles && isAboutArticles(file)));
  return new Map([...defaults, ...readContentFolder(folder, otherFiles)]);
}
