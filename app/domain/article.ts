export interface Article {
  id: number;
  title: string;
  excerpt: string;
  author: string;
  /** Date of publication, for example 2021-07-31. */
  date: string;
  /** Date of the last change after publication. */
  updated?: string | undefined;
  category: string;
  image: "marked-script" | "mark-sheet" | "memo";
  slug: string;
  /** For example "5 min read". */
  readTime: string;
  html: string;
  /** The words of title, excerpt, category and text, without the product's name; see search.ts. */
  searchable: string;
  /** Headings, for the table of contents. */
  contents: { id: string; text: string }[];
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
