import * as z from "zod/mini";
import type { Article } from "../../domain/article.ts";
import { reservedSlugs } from "../../site.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { ContentFault } from "./content-error.ts";
import { readDocument } from "./document.ts";
import type { Fillings } from "./placeholders.ts";

/** The pictures that articles share. */
const articleImages = ["marked-script", "mark-sheet", "memo"] as const;

/** As people read: about two hundred words in a minute. */
const wordsPerMinute = 200;

const text = z.string("must be a text").check(z.minLength(1, "must not be empty"));
const day = z
  .string("must be a date such as 2021-07-31")
  .check(z.refine(isDay, { error: "must be a date such as 2021-07-31" }));

const rule = z.strictObject({
  id: z.int("must be a whole number"),
  title: text,
  excerpt: text,
  author: text,
  date: day,
  updated: z.optional(day),
  category: text,
  image: z.enum(articleImages, `must be one of ${articleImages.join(", ")}`),
  slug: z
    .string("must be a text")
    .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, figures and hyphens")),
});

export interface ReadArticles {
  articles: Article[];
  /** Where each article links to, to be judged once all pages are known. */
  links: { file: string; line: number; href: string }[];
  faults: ContentFault[];
}

/** All articles in the order of their ids. */
export function readArticles(files: ContentFiles, fillings: Fillings): ReadArticles {
  const articles: Article[] = [];
  const links: ReadArticles["links"] = [];
  const faults: ContentFault[] = [];
  const seen = new Map<string | number, string>();
  for (const [file, source] of files) {
    if (!/^articles\/[^/]+\.md$/.test(file)) continue;
    const read = readDocument(file, source, rule, fillings);
    if ("faults" in read) {
      faults.push(...read.faults);
      continue;
    }
    const { front, html, contents, words } = read.document;
    for (const key of ["slug", "id"] as const) {
      const duplicate = seen.get(front[key]);
      if (duplicate)
        faults.push({
          file,
          line: lineOf(source, key),
          message: `${key}: ${duplicate} has the same`,
        });
      seen.set(front[key], file);
    }
    if (reservedSlugs.has(front.slug)) {
      const message = `slug: ${front.slug} is the address of something else`;
      faults.push({ file, line: lineOf(source, "slug"), message });
    }
    links.push(...read.document.links.map((link) => ({ file, ...link })));
    const readTime = `${Math.max(1, Math.round(words / wordsPerMinute))} min read`;
    const { title, excerpt, category } = front;
    const text = html.replace(/<[^>]*>/g, " ");
    const searchable = `${title} ${excerpt} ${category} ${text}`.toLowerCase();
    articles.push({ ...front, readTime, html, searchable, contents });
  }
  articles.sort((a, b) => a.id - b.id);
  return { articles, links, faults };
}

/** JavaScript would take the 30th of February for a day in March. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const lineOf = (source: string, key: string) =>
  source.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 1;
