import * as z from "zod/mini";
import type { Searchable } from "./search.ts";

/** Pictures that an article may use: three that articles share, and those of single articles. */
const articleImages = [
  "marked-script",
  "mark-sheet",
  "memo",
  "bridge",
  "mapwork",
  "margin-note",
  "phone",
  "pile",
  "punched-card",
  "scanner",
  "sunday",
  "targets",
  "two-markers",
] as const;

/** A required text of front matter. */
export const nonEmptyText = z.string("must be text").check(z.minLength(1, "must not be empty"));

const maxLength = (max: number) => z.maxLength(max, `must be at most ${max} characters`);

export const date = z
  .string("must be a date such as 2021-07-31")
  .check(z.refine(isDate, { error: "must be a date such as 2021-07-31" }));

const slug = z
  .string("must be text")
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lowercase letters, digits and hyphens"));

const sourceSchema = z.strictObject({
  title: nonEmptyText,
  authors: z.optional(nonEmptyText),
  year: z.int("must be a year"),
  publisher: z.optional(nonEmptyText),
  /** The publisher's page, or a DOI as https://doi.org/10.…; absent if it could not be verified. */
  url: z.optional(
    z
      .string("must be text")
      .check(
        z.regex(/^https:\/\/[^\s/]+\.[^\s/]+\S*$/, "must be an address that begins with https://"),
        z.refine(hasNoMalformedDoi, { error: "must have the form https://doi.org/10.1000/182" }),
      ),
  ),
});

export const articleFrontMatter = z.strictObject({
  id: z.int("must be a whole number"),
  title: nonEmptyText,
  /** Replaces the title in search results, where a longer one is cut off. */
  seoTitle: z.optional(nonEmptyText.check(maxLength(60))),
  excerpt: nonEmptyText,
  /** The description that search engines show; the excerpt if undefined. */
  description: z.optional(nonEmptyText.check(maxLength(155))),
  author: nonEmptyText,
  /** Date of publication. */
  date,
  /** Date of the last change after publication. */
  updated: z.optional(date),
  category: nonEmptyText,
  image: z.enum(articleImages, `must be one of ${articleImages.join(", ")}`),
  slug,
  /** The works that the article relies on. */
  sources: z._default(z.array(sourceSchema), []),
  /** Slugs of the articles to read next. */
  readNext: z._default(z.array(slug), []),
});

export type Source = z.infer<typeof sourceSchema>;

export type Article = z.infer<typeof articleFrontMatter> & {
  /** For example "5 min read". */
  readTime: string;
  html: string;
  /** The text of `html`, without tags. */
  text: string;
  /** What a search reads, without the product's name, which is in every article. */
  searchable: Searchable;
  /** Headings, for the table of contents. */
  contents: { id: string; text: string }[];
  /** Whether paragraphs that were added later are in notes with a date. */
  hasDatedNotes: boolean;
};

/** Returns the articles with these slugs, in their order; leaves out a slug that no article has. */
export const articlesOf = (slugs: readonly string[], articles: readonly Article[]): Article[] =>
  slugs.flatMap((slug) => articles.find((article) => article.slug === slug) ?? []);

/** Whether a text is a day of the calendar. Date.parse reads 30 February as a day in March, so compare the result. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a URL has no DOI, or has it as https://doi.org/10.…: articles must not give one work two addresses. */
function hasNoMalformedDoi(url: string): boolean {
  const isDoi = /^https:\/\/(\w+\.)?doi\.org\//i.test(url);
  return !isDoi || /^https:\/\/doi\.org\/10\.\d{4,9}\/\S+$/.test(url);
}

/** A file that an article offers: DOCX, XLSX or PDF. */
export interface ArticleDownload {
  /** Slug of the article. */
  article: string;
  /** The text of the link to the file. */
  label: string;
  /** Name of the file, such as "marking-policy.docx". */
  name: string;
  bytes: Uint8Array;
}

/** What the blog shows beside its articles. */
export interface Blog {
  /** A note at the top of each article; may be empty. */
  note: string;
  readingPaths: ReadingPath[];
  /** The sections of the list of articles. */
  shelves: Shelf[];
}

export interface Shelf {
  title: string;
  /** Slugs, in the order of the list. */
  articles: string[];
}

/** Articles for one kind of reader, in the order in which to read them. */
interface ReadingPath {
  reader: string;
  /** Slugs. */
  articles: string[];
}

export const legalPageNames = [
  "paia-manual",
  "privacy-policy",
  "security-policy",
  "terms-conditions",
] as const;
export type LegalPageName = (typeof legalPageNames)[number];

export interface LegalPage {
  title: string;
  description: string;
  intro: string;
  updated: string;
  html: string;
  contents: { id: string; text: string }[];
}

/** The preview image of a shared link (og:image), 1200 by 630 pixels. */
export interface Card {
  src: string;
  alt: string;
}

export interface Cards {
  site: Card;
  /** The article's own card, or the site's if it has none. */
  of(article: Pick<Article, "title" | "category">): Card;
}
