import { existsSync } from "node:fs";
import path from "node:path";
import brandFile from "./built-in-brand.yaml?parsed";
import type { FileError } from "./content-error.ts";
import { readContentFolder } from "./content-folder.ts";
import { parsedAtBuild } from "./yaml.ts";

/**
 * The text of each content file, or the bytes of a download in base64. The key is the file's path below the content
 * folder, with forward slashes.
 */
export type ContentFiles = ReadonlyMap<string, string>;

/** The file with what the blog shows beside its articles. */
export const blogFile = "blog.yaml";

/** The folder of the files that articles offer. */
export const downloadsFolder = "downloads/";

const pathOf = (file: string) => file.replace(/^.*?content\//, "");

const texts: ContentFiles = new Map(
  Object.entries(
    import.meta.glob<typeof brandFile>("../../../content/**/*.{md,yaml}", {
      query: "?parsed",
      import: "default",
      eager: true,
    }),
  ).map(([file, parts]) => [pathOf(file), textFrom(parts)]),
);

const downloads: ContentFiles = new Map(
  Object.entries(
    import.meta.glob<string>("../../../content/downloads/*", {
      query: "?inline",
      import: "default",
      eager: true,
    }),
  ).map(([file, dataUrl]) => [pathOf(file), dataUrl.slice(dataUrl.indexOf(",") + 1)]),
);

/** Returns the bytes of a file in its content folder. */
export const contentBytes = (file: string, text: string): Buffer =>
  Buffer.from(text, file.startsWith(downloadsFolder) ? "base64" : "utf8");

export const builtInFiles: ContentFiles = new Map([...texts, ...downloads]);

/** The built-in brand with its claims; the brand.yaml for institutions has no claims. */
export const builtInBrand = textFrom(brandFile);

/** Returns the text of a file, and stores its parsed YAML for `readYaml`. */
function textFrom({ yaml, value, body }: typeof brandFile): string {
  parsedAtBuild.set(yaml, value);
  return body === undefined ? yaml : `---\n${yaml}---\n${body}`;
}

/** Whether a content folder has a folder of articles, which replaces all built-in ones, even if it is empty. */
export const hasOwnArticles = (folder: string | undefined): boolean =>
  folder !== undefined && existsSync(path.join(folder, "articles"));

/** The content files to serve, and what to warn of. */
export interface FoundContent {
  files: ContentFiles;
  warnings: FileError[];
}

/** Whether a file has the text of the built-in file of its name; the line breaks may be those of Windows. */
export const isBuiltIn = (file: string, text: string): boolean =>
  text.replaceAll("\r\n", "\n") === builtInFiles.get(file);

const isArticleOrDownload = (file: string) => /^(articles|downloads)\//.test(file);

/** Returns the files without the built-in articles, downloads and blog.yaml. */
export const withoutBuiltInBlog = (files: ContentFiles): ContentFiles => {
  const isOfBlog = (file: string) => isArticleOrDownload(file) || file === blogFile;
  return new Map([...files].filter(([file, text]) => !isOfBlog(file) || !isBuiltIn(file, text)));
};

/**
 * Returns the content files to serve. A file in `folder` replaces the built-in file of the same path; a folder of
 * articles replaces all built-in articles, blog.yaml and the downloads.
 * @throws ContentError
 */
export function contentFiles(folder: string | undefined): FoundContent {
  if (!folder) return { files: builtInFiles, warnings: [] };
  const defaults = hasOwnArticles(folder) ? withoutBuiltInBlog(builtInFiles) : builtInFiles;
  const known = [...builtInFiles.keys()].filter((file) => !isArticleOrDownload(file));
  const { files, warnings } = readContentFolder(folder, known);
  return { files: new Map([...defaults, ...files]), warnings };
}
