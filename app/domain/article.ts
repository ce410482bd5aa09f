import type { Searchable } from "./search.ts";

/** Pictures that an article may use: three that articles share, and those of single subjects. */
export const articleImages = [
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

export interface Article {
  id: number;
  title: string;
  /** Replaces the title in search results, where a long one is cut off. */
  seoTitle?: string | undefined;
  excerpt: string;
  /** What search engines show; the excerpt if undefined. */
  description?: string | undefined;
  author: string;
  /** Date of publication, for example 2021-07-31. */
  date: string;
  /** Date of the last change after publication. */
  updated?: string | undefined;
  category: string;
  image: (typeof articleImages)[number];
  slug: string;
  /** For example "5 min read". */
  readTime: string;
  html: string;
  /** The text of `html`, without tags. */
  text: string;
  /** The words that a search reads, without the product's name, which is in every article. */
  searchable: Searchable;
  /** Headings, for the table of contents. */
  contents: { id: string; text: string }[];
  /** The works that the article relies on. */
  sources: Source[];
  /** Slugs of the articles to read next. */
  readNext: string[];
}

/** A file that an article offers, for Word or a spreadsheet program. */
export interface ArticleDownload {
  /** Slug of the article. */
  article: string;
  /** The text of the link to the file. */
  label: string;
  /** Name of the file, such as "marking-policy.docx". */
  name: string;
  bytes: Uint8Array;
}

export interface Source {
  title: string;
  authors?: string | undefined;
  year: number;
  publisher?: string | undefined;
  /** The publisher's page, or a DOI as https://doi.org/10.…; absent if it could not be verified. */
  url?: string;
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

export type LegalPageName =
  | "paia-manual"
  | "privacy-policy"
  | "security-policy"
  | "terms-conditions";

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
