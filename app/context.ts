/** The router context: what a route may ask of the server. A route is given its world and imports none of it. */
import { createContext } from "react-router";
import type { Brand } from "./brand.ts";
import type { Article, Cards, LegalPage, LegalPageName } from "./domain/article.ts";
import type { Outcome } from "./domain/problem.ts";
import type { Receipt } from "./domain/receipt.ts";
import type { FormName } from "./domain/request.ts";
import type { Results } from "./domain/result.ts";

export interface RouteContext {
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
   * need not be chosen again. "api": the JSON or multipart body of an endpoint
   */
  submit(form: FormName, request: Request, from: "page" | "api"): Promise<Outcome>;
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

export interface TestForms {
  /** Undefined where no mail server is set. */
  sender: string | undefined;
  team: string[];
}

export const routeContext = createContext<RouteContext>();
