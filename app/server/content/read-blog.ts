import * as z from "zod/mini";
import type { ArticleDownload, Blog } from "../../domain/article.ts";
import { blogFile, type ContentFiles, contentBytes, downloadsFolder } from "./built-in-files.ts";
import type { Found } from "./document.ts";
import { fillSlug, fillText, type PlaceholderValues } from "./placeholders.ts";
import { readYaml, text } from "./yaml.ts";

/**
 * Reads blog.yaml. Without that file the blog has no note, reading paths or shelves, and articles offer no files.
 * @param slugs of all articles
 */
export function readBlog(
  files: ContentFiles,
  slugs: ReadonlySet<string>,
  values: PlaceholderValues,
  { errors }: Found,
): { blog: Blog; downloads: ArticleDownload[] } {
  const none = { blog: { note: "", readingPaths: [], shelves: [] }, downloads: [] };
  const source = files.get(blogFile);
  if (source === undefined) return none;
  const slug = text.check(z.refine((slug) => slugs.has(slug), { error: "is not an article" }));
  const isFile = (name: string) => files.has(downloadsFolder + name);
  const schema = z.strictObject({
    note: text,
    readingPaths: z.array(z.strictObject({ reader: text, articles: z.array(slug) })),
    shelves: z.optional(
      z
        .array(z.strictObject({ title: text, articles: z.array(slug) }))
        .check(z.refine(isOnOneShelf, { error: "an article is on two shelves" })),
    ),
    downloads: z.optional(
      z.array(
        z.strictObject({
          file: text.check(z.refine(isFile, { error: "is not a file in downloads" })),
          label: text,
          article: slug,
        }),
      ),
    ),
  });
  const fill = (text: string, key: string) =>
    key === "articles" || key === "article" ? fillSlug(text, values) : fillText(text, values);
  const result = readYaml(source, schema, { file: blogFile, fill });
  if ("errors" in result) {
    errors.push(...result.errors);
    return none;
  }
  const { shelves = [], downloads = [], ...rest } = result.value;
  return {
    blog: { ...rest, shelves },
    downloads: downloads.map(({ file: name, ...link }) => {
      const file = downloadsFolder + name;
      return { ...link, name, bytes: contentBytes(file, files.get(file)!) };
    }),
  };
}

function isOnOneShelf(shelves: { articles: string[] }[]): boolean {
  const all = shelves.flatMap(({ articles }) => articles);
  return new Set(all).size === all.length;
}
