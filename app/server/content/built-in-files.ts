import { existsSync } from "node:fs";
import path from "node:path";
import brandFile from "./built-in-brand.yaml?parsed";
import { readContentFolder } from "./content-folder.ts";
import { rememberYaml } from "./yaml.ts";

/** Text of each content file, by its path below the content folder, with forward slashes. */
export type ContentFiles = Map<string, string>;

/** The file with what the blog shows beside its articles. */
export const blogFile = "blog.yaml";

const builtIn: ContentFiles = new Map(
  Object.entries(
    import.meta.glob<typeof brandFile>("../../../content/**/*.{md,yaml}", {
      query: "?parsed",
      import: "default",
      eager: true,
    }),
  ).map(([file, parts]) => [file.replace(/^.*?content\//, ""), textFrom(parts)]),
);

/** The brand with its claims, in place of brand.yaml, which has none. */
export const builtInBrand = textFrom(brandFile);

function textFrom({ yaml, value, body }: typeof brandFile): string {
  rememberYaml(yaml, value);
  return body === undefined ? yaml : `---\n${yaml}---\n${body}`;
}

/** Returns the content files that are part of the program. */
export const builtInFiles = (): ContentFiles => new Map(builtIn);

/**
 * Returns the content files to serve. A file in `folder` replaces the built-in file of the same
 * path; a folder of articles replaces all built-in articles, and blog.yaml and the downloads, which
 * are about them; a folder of downloads replaces all built-in downloads.
 * @throws ContentError
 */
export function contentFiles(folder: string | undefined): ContentFiles {
  if (!folder) return builtInFiles();
  const has = (name: string) => existsSync(path.join(folder, name));
  const [hasArticles, hasDownloads] = [has("articles"), has("downloads")];
  const isReplaced = (file: string) =>
    (hasArticles && (/^(articles|downloads)\//.test(file) || file === blogFile)) ||
    (hasDownloads && file.startsWith("downloads/"));
  const defaults = [...builtIn].filter(([file]) => !isReplaced(file));
  const fixed = [...builtIn.keys()].filter((file) => !/^(articles|downloads)\//.test(file));
  return new Map([...defaults, ...readContentFolder(folder, fixed)]);
}
