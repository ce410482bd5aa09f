export interface Article {
  id: number;
  title: string;
  excerpt: string;
  author: string;
  /** As in 2021-07-31. */
  date: string;
  /** When it was changed since, if it was. */
  updated?: string | undefined;
  category: string;
  image: "marked-script" | "mark-sheet" | "memo";
  slug: string;
  /** As in "5 min read". */
  readTime: string;
  html: string;
  /** All its words in small letters, to be searched in. */
  searchable: string;
  /** Its headings. */
  contents: { id: string; text: string }[];
}

export type LegalPageName = "privacy-policy" | "security-policy" | "terms-conditions";

export interface LegalPage {
  title: string;
  description: string;
  intro: string;
  updated: string;
  html: string;
  contents: { id: string; text: string }[];
}

/** A picture of 1200 by 630 pixels, for where an address is shared. */
export interface Card {
  src: string;
  alt: string;
}

export interface Cards {
  site: Card;
  /** An article's own where there is one, else the site's. */
  of(article: Pick<Article, "title" | "category">): Card;
}
