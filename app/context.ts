/** The router context: what routes use of the server. Routes import nothing from app/server. */
import { createContext } from "react-router";
import type { Operations } from "#db/store.ts";
import type { Brand } from "./brand.ts";
import type {
  Article,
  ArticleDownload,
  Blog,
  Cards,
  LegalPage,
  LegalPageName,
} from "./domain/article.ts";
import type { NewSignature, SigningOutcome } from "./domain/decision.ts";
import type { AnswerKey, Desk, DeskAnswer, DeskHead, MarkingOrder } from "./domain/desk.ts";
import type { PageTexts } from "./domain/page-text.ts";
import type { Outcome } from "./domain/problem.ts";
import type { Receipt, Received } from "./domain/receipt.ts";
import type { FormName } from "./domain/request.ts";
import type { Results } from "./domain/result.ts";
import type { ReadTeamForm, TeamPageData, TeamResult } from "./domain/team.ts";
import type { TeamAction } from "./results/team-form.ts";

export interface RouteContext {
  brand: Brand;
  /** Scheme and host of absolute URLs, without a trailing slash. */
  origin: string;
  /** Days after which a request is deleted. */
  retentionDays: number;
  maxFileBytes: number;
  /** Whether emails to the team have the files of requests attached. */
  mailsFiles: boolean;
  /** Whether subscribers get emails, which needs a mail server and a public URL. */
  writesToSubscribers: boolean;
  /** All articles, in the order in which pages list them. */
  articles: Article[];
  /** The files that articles offer. */
  downloads: ArticleDownload[];
  blog: Blog;
  legalPages: Record<LegalPageName, LegalPage>;
  texts: PageTexts;
  /** Returns the guide to the desk for markers, leads and educators, as HTML. */
  markingGuide(): string;
  cards: Cards;
  /** Returns the OpenAPI document of the endpoints. */
  describeApi(): object;
  /** What /test-forms shows; undefined if that page is switched off. */
  testForms: TestForms | undefined;
  /**
   * Reads, validates and stores the form that this request posts. The valid files of a rejected form are stored as a
   * draft, so that they need not be chosen again. Reads the body from the connection, so the action leaves its
   * Request unread.
   */
  submit(form: FormName): Promise<Outcome>;
  /** Reads a post of texts that no form in forms/ defines; undefined if it cannot be read or has a field twice. */
  readTexts(): Promise<Record<string, string> | undefined>;
  /** Reads a form with files of the team's page, and stores its scan, if any; undefined if the form cannot be read. */
  readTeamForm(token: string): Promise<ReadTeamForm | undefined>;
  /** Submits a made-up post as its endpoint would: JSON, or multipart with files. */
  submitTest(form: FormName, made: Request): Promise<Outcome>;
  /** Logs an unexpected error of a page. */
  reportError(error: unknown): void;
  /**
   * Finds the post that was received under a reference; null if there is none, or its form is not among `forms`.
   * @param forms the forms whose receipts the page can show
   * @param input a reference from a URL, in any spelling
   */
  findReceived(forms: readonly FormName[], input: string): Promise<Received | null>;
  findReceipt(received: Received): Promise<Receipt>;
  /** The subscription that a token belongs to; null if it has ended or the token is unknown. */
  findSubscription(token: string): Promise<{ isConfirmed: boolean } | null>;
  /** Confirms the subscription of a token. Returns false if there is none. */
  confirmSubscription(token: string): Promise<boolean>;
  /** Ends the subscription of a token, if it has not ended yet. */
  unsubscribe(token: string): Promise<void>;
  /**
   * @param token the token of a results link, or of the sample
   * @param isRead false for HEAD, which records no opening
   * @returns null if the token is unknown, expired or revoked, without saying which
   */
  findResults(token: string, isRead?: boolean): Promise<Results | null>;
  /** Signs the marks, and tells the team. */
  signResults(
    token: string,
    signature: Omit<NewSignature, "email" | "sendsWebhook">,
  ): Promise<SigningOutcome>;
  /**
   * @param file "marks", "moodle", "canvas", "brightspace" or "blackboard"
   * @param options.isRead false for HEAD, which records no opening
   * @returns a CSV file; null if the token opens no results, or there is no such file
   */
  findDownload(
    token: string,
    file: string,
    options: MarksOptions & { isRead: boolean },
  ): Promise<MarksFile | null>;
  desk: DeskServices;
  team: TeamServices;
}

/** Operations of the store without their last argument, the current time. */
type AtNow<Name extends keyof Operations> = {
  [One in Name]: Operations[One] extends (...args: [...infer Args, Date]) => infer Result
    ? (...args: Args) => Result
    : never;
};

/** Operations of the store that the pages of private links call directly. */
export const linkOperations = [
  "findLinkKind",
  "findResultsStatus",
  "findPage",
  "findPaperFiles",
  "findProblemPages",
  "findScripts",
  "findScriptPage",
  "hasScripts",
  "takeNextAnswer",
  "decideAnswer",
  "agreeWithRest",
  "saveMarkDraft",
  "askLead",
  "placeStamp",
  "removeStamp",
  "turnPage",
  "setPaper",
  "changeLearners",
  "changeProblemPages",
] as const;

/** The services of private links. Each returns null, undefined, [] or an outcome for what a link does not open. */
export interface DeskServices extends AtNow<(typeof linkOperations)[number]> {
  /** The heading of every page; null if the token opens no desk. `isRead` records the opening. */
  findDeskHead(token: string, isRead: boolean): Promise<DeskHead | null>;
  /** The class; null if the token opens no desk any more. */
  findDesk(token: string): Promise<Desk | null>;
  /**
   * One answer; "missing" if the link opens no such answer, null if the link opens no desk. `isRead` records that the
   * link has the answer open.
   */
  openAnswer(
    token: string,
    answer: AnswerKey & { order: MarkingOrder; saved?: AnswerKey | null; isRead: boolean },
  ): Promise<DeskAnswer | "missing" | null>;
  /** A file as it was sent; null if the link does not open it. */
  openOriginal(token: string, fileId: number, isRead: boolean): Promise<Download<Buffer> | null>;
}

export interface MarksOptions {
  /** Whether a gradebook gets marks that no person has decided. */
  withProposals: boolean;
  /** Whether the sheet of marks has a column for each point of the memos. */
  withPoints: boolean;
}

/** A CSV file to download. */
export interface MarksFile {
  /** The value of Content-Disposition, which names the file. */
  disposition: string;
  text: string;
}

export interface Download<Content> {
  disposition: string;
  mediaType: string;
  bytes: Content;
}

export type TeamMarksOptions = MarksOptions & { signal: AbortSignal };

/**
 * The services of the link to the team's page of a request. A method returns null if the link opens nothing. Methods
 * with a signal export names, and email the team about it: at most once an hour for each kind of export, and not if the
 * signal has aborted.
 */
export interface TeamServices {
  /** @param options.withFigures whether to count what each marker gave, which reads every decision */
  findPage(token: string, options: { withFigures: boolean }): Promise<TeamPageData | null>;
  /** @param by the name of the person who asks for the action, for the history */
  perform(token: string, by: string, action: TeamAction): Promise<TeamResult | null>;
  openFile(token: string, fileId: number): Promise<Download<Buffer> | null>;
  /** How many marks the class has; 0 if the link opens nothing. */
  countMarks(token: string): Promise<number>;
  /** The results as the educator's page would show them. */
  findPreview(token: string): Promise<Results | null>;
  /** The marks as CSV in the format that `file` names, as for the educator; "sheet" is the sheet for proposals. */
  openMarks(token: string, file: string, options: TeamMarksOptions): Promise<MarksFile | null>;
  /**
   * A cover sheet for each learner of the class list; null if there is no list, or it is too long for one file.
   * @throws Rejection 503 while too many downloads are made
   */
  openSheets(token: string, signal: AbortSignal): Promise<Download<Buffer> | null>;
  /**
   * The marked scripts of a class in one archive; null if the class is not published. Other archives of scripts wait
   * until this one is read or the signal aborts.
   * @throws Rejection 503 while too many downloads are made, or pages have to be rendered first
   */
  openScripts(
    token: string,
    signal: AbortSignal,
  ): Promise<Download<AsyncIterable<Uint8Array>> | null>;
  /**
   * All files in one archive, which is open until it is read or the signal aborts. Few archives are open at a time.
   * @throws Rejection 503 while too many downloads are made
   */
  openArchive(
    token: string,
    signal: AbortSignal,
  ): Promise<Download<AsyncIterable<Uint8Array>> | null>;
}

export interface TestForms {
  /** The From address; undefined if no mail server is configured. */
  sender: string | undefined;
  team: string[];
}

export const routeContext = createContext<RouteContext>();
