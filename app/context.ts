/**
 * The router context: the part of the server that routes may use. Routes import nothing from
 * app/server.
 */
import { createContext } from "react-router";
import type { Brand } from "./brand.ts";
import type {
  Article,
  ArticleDownload,
  Blog,
  Cards,
  LegalPage,
  LegalPageName,
} from "./domain/article.ts";
import type {
  DecisionOutcome,
  NewDecision,
  NewSignature,
  RestOutcome,
  SeenMark,
  SigningOutcome,
} from "./domain/decision.ts";
import type {
  AnswerDecision,
  AnswerKey,
  AnswerOutcome,
  Desk,
  LearnerChange,
  LearnerOutcome,
  MarkDraft,
  MarkingOrder,
  NewPaper,
  NextAnswer,
  PaperOutcome,
  ShownFile,
  StampOutcome,
} from "./domain/desk.ts";
import type { PageTexts } from "./domain/page-text.ts";
import type { Outcome } from "./domain/problem.ts";
import type { Receipt } from "./domain/receipt.ts";
import type { FormName } from "./domain/request.ts";
import type { Results } from "./domain/result.ts";
import type { ProblemChange, ProblemOutcome, ProblemPage } from "./domain/scan.ts";
import type { NewStamp, PageTurn } from "./domain/stamp.ts";

export interface RouteContext {
  brand: Brand;
  /** Scheme and host of absolute URLs, without a trailing slash. */
  origin: string;
  /** Days after which a request is deleted. */
  retentionDays: number;
  /** The limit on one file. */
  maxFileBytes: number;
  /** In the order in which they are listed. */
  articles: Article[];
  /** The files that articles offer. */
  downloads: ArticleDownload[];
  blog: Blog;
  legalPages: Record<LegalPageName, LegalPage>;
  texts: PageTexts;
  cards: Cards;
  /** Returns the OpenAPI document of the endpoints. */
  describeApi(): object;
  /** The email addresses that /test-forms shows; undefined if that page is switched off. */
  testForms: TestForms | undefined;
  /**
   * Reads, validates and stores the form that this request posts. Once the outcome is "received", it
   * is stored durably; the valid files of a rejected form are stored as a draft, so that they need
   * not be chosen again. Reads the body from the connection: the action leaves its Request unread.
   */
  submit(form: FormName): Promise<Outcome>;
  /** Reads the texts of a post to a page that is no form's; undefined if it cannot be read or has a field twice. */
  readTexts(): Promise<Record<string, string> | undefined>;
  /** Submits a made-up post as its endpoint would: JSON, or multipart with files. */
  submitTest(form: FormName, made: Request): Promise<Outcome>;
  /** Logs an unexpected error of a page. */
  reportError(error: unknown): void;
  /**
   * @param forms the forms whose receipts the page can show
   * @param input a reference from a URL, in any spelling
   */
  findReceipt(forms: readonly FormName[], input: string): Promise<Receipt | null>;
  /** The subscription of a link in an email; null if it has ended. */
  findSubscription(token: string): Promise<{ isConfirmed: boolean } | null>;
  /** Returns whether the token is that of a subscription. */
  confirmSubscription(token: string): Promise<boolean>;
  /** Ends the subscription of a token, if it has not ended yet. */
  unsubscribe(token: string): Promise<void>;
  /**
   * @param token the token of a results link, or of the sample
   * @returns null if the token is unknown, expired or revoked, without saying which
   */
  findResults(token: string): Promise<Results | null>;
  /** Decides a mark under a private link. Once the outcome is "stored", it is stored durably. */
  decideMark(token: string, decision: NewDecision): Promise<DecisionOutcome>;
  /** Agrees with the proposals of a learner that the person saw and that are not decided. */
  agreeWithRest(token: string, rest: { learner: number; seen: SeenMark[] }): Promise<RestOutcome>;
  /** Signs the marks, and tells the team. */
  signResults(
    token: string,
    signature: Omit<NewSignature, "email" | "sendsWebhook">,
  ): Promise<SigningOutcome>;
  /**
   * @param file "marks", "moodle", "canvas", "brightspace" or "blackboard"
   * @returns a CSV file; null if the token opens no results, or there is no such file
   */
  findDownload(token: string, file: string): Promise<{ disposition: string; text: string } | null>;
  /**
   * The scripts that a private link opens, with their stamps: of one learner, by position from 0, or of all.
   * Empty if the token opens none.
   */
  findScripts(token: string, learner?: number): Promise<ShownFile[][]>;
  /** The picture of a page of a script, as WebP. */
  findScriptPage(token: string, page: { fileId: number; page: number }): Promise<Buffer | null>;
  desk: DeskServices;
}

/** The marking desk under the token of a marking link. What a link does not open is null. */
export interface DeskServices {
  /** Null if the token is unknown, expired or closed, without saying which. */
  find(token: string): Promise<Desk | null>;
  /** The files of a learner's work, or of the paper. */
  findWork(token: string, of: { learnerId: number } | "paper"): Promise<ShownFile[]>;
  /** The picture of a page, as WebP. */
  findPage(token: string, page: { fileId: number; page: number }): Promise<Buffer | null>;
  /** A file as it was sent. */
  openOriginal(
    token: string,
    fileId: number,
  ): Promise<{ disposition: string; mediaType: string; bytes: Buffer } | null>;
  /** Records that the marker has an answer open, so that others get another one. */
  recordOpen(token: string, answer: AnswerKey): Promise<void>;
  /** The next answer that is not decided, which the marker then has open. */
  takeNext(token: string, from: { order: MarkingOrder; after?: AnswerKey }): Promise<NextAnswer>;
  /** Decides a mark. Once the outcome is "stored", it is stored durably. */
  decide(token: string, decision: AnswerDecision): Promise<AnswerOutcome>;
  /** Stores what was typed and not decided. */
  saveDraft(token: string, draft: MarkDraft): Promise<void>;
  placeStamp(token: string, answer: AnswerKey, stamp: NewStamp): Promise<StampOutcome>;
  removeStamp(token: string, answer: AnswerKey, stampId: number): Promise<StampOutcome>;
  turnPage(
    token: string,
    answer: AnswerKey,
    page: { fileId: number; page: number; turn: PageTurn },
  ): Promise<StampOutcome>;
  setPaper(token: string, paper: NewPaper): Promise<PaperOutcome>;
  changeLearners(token: string, change: LearnerChange): Promise<LearnerOutcome>;
  /** The problem pages of the scans; none if the link does not open them. */
  findProblemPages(token: string): Promise<ProblemPage[]>;
  changeProblemPages(token: string, change: ProblemChange): Promise<ProblemOutcome>;
}

export interface TestForms {
  /** The From address; undefined if no mail server is configured. */
  sender: string | undefined;
  team: string[];
}

export const routeContext = createContext<RouteContext>();
