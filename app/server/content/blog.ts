import * as z from "zod/mini";
import type { Blog } from "../../domain/article.ts";
import { blogFile, type ContentFiles } from "./built-in-files.ts";
import type { FileError } from "./content-error.ts";
import { fillSlug, fillText, type PlaceholderValues } from "./placeholders.ts";
import { readYaml, text } from "./yaml.ts";

/**
 * Reads blog.yaml. Without that file the blog has no note, reading paths or shelves.
 * @param slugs of all articles
 */
export function readBlog(
  files: ContentFiles,
  slugs: ReadonlySet<string>,
  values: PlaceholderValues,
): { blog: Blog; errors: FileError[] } {
  const none: Blog = { note: "", readingPaths: [], shelves: [] };
  const source = files.get(blogFile);
  if (source === undefined) return { blog: none, errors: [] };
  const slug = text.check(z.refine((slug) => slugs.has(slug), { error: "is not an article" }));
  const schema = z.strictObject({
    note: text,
    readingPaths: z.array(z.strictObject({ reader: text, articles: z.array(slug) })),
    shelves: z.optional(
      z
        .array(z.strictObject({ title: text, articles: z.array(slug) }))
        .check(z.refine(isOnOneShelf, { error: "an article is on two shelves" })),
    ),
  });
  const fill = (text: string, key: string) =>
    key === "articles" ? fillSlug(text, values) : fillText(text, values);
  const result = readYaml(source, schema, blogFile, fill);
  if ("errors" in result) return { blog: none, errors: result.errors };
  const { shelves = [], ...rest } = result.value;
  return { blog: { ...rest, shelves }, errors: [] };
}

function isOnOneShelf(shelves: { articles: string[] }[]): boolean {
  const all = shelves.flatMap(({ articles }) => articles);
  return new Set(all).size === all.length;
}
