/** The router context: what a route may ask of the server. A route is given its world and imports none of it. */
import { createContext } from "react-router";
import type { Brand } from "./brand.ts";
import type { FormName, Receipt } from "./domain/receipt.ts";
import type { Results } from "./domain/result.ts";

export interface Services {
  brand: Brand;
  /** Where the site is found, without a slash at the end: what absolute addresses begin with. */
  origin: string;
  /** Days after which a request is deleted. */
  retentionDays: number;
  /** In the order of the listing. */
  articles: Article[];
  legalPages: Record<LegalPageName, LegalPage>;
  cards: Cards;
  /** Whether /test-forms is there, and what it tells its visitors about letters. */
  testForms: TestForms | undefined;
  /**
   * Reads, judges and stores what was posted. Once it says "received", nothing can lose it.
   * @param from "page": a form's media type; the good files of a refused form are held, so that they
   * need not be chosen again. "call": what the calls take
   */
  submit(form: FormName, request: Request, from: "page" | "call"): Promise<Outcome>;
  /** Tells the operator of an error that a page met. */
  reportError(error: unknown): void;
  /**
   * @param forms those that the page can show a receipt of
   * @param typed a reference as somebody typed or followed it
   */
  findReceipt(forms: readonly FormName[], typed: string): Promise<Receipt | null>;
  /**
   * @param token of a private link, or the sample's
   * @returns null where it opens nothing: unknown, expired and withdrawn are not told apart
   */
  findResults(token: string): Promise<Results | null>;
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

export interface TestForms {
  /** Undefined where no mail server is set. */
  sender: string | undefined;
  team: string[];
}

export type Outcome =
  | { received: true; id: number; reference: string }
  | {
      received: false;
      /** Undefined where the form was posted only to remove a held file. */
      problem: Problem | undefined;
      typed: Record<string, string>;
      held: HeldFiles | undefined;
    };

/** What the server does with an upload whose bytes have all been sent. */
export type UploadStep = "checking" | "storing";

/** Files that are kept for a form that came back. The token is the only key to them. */
export interface HeldFiles {
  token: string;
  files: { id: number; field: string; name: string; size: number }[];
}

/** Why a request was refused, in words for the visitor; the shape of every error answer of the calls. */
export interface Problem {
  status: 400 | 411 | 413 | 415 | 422 | 429 | 500 | 503;
  /** For programs, stable: "missing_files", "invalid_fields" … */
  code: string;
  error: string;
  /** Reasons by field name; a file's reason starts with the file's name. */
  fields: Record<string, string[]>;
  /** Seconds after which it may be tried again. */
  retryAfter?: number;
}

export const services = createContext<Services>();
