/** Decisions of people on marks, and the signature that ends them. */
import type { Email } from "./email.ts";
import type { ImportCounts } from "./publication.ts";
import type { QuestionMark, Signature } from "./result.ts";

/**
 * How a person decided a mark. "agreed": took the proposed mark. "changed": gave another mark. "entered": gave a mark
 * without a proposal. "rest": agreed, in one press, with a learner's open proposals. "blind": gave a mark without
 * a view of the proposal. "second": gave a mark as a second marker, which does not count.
 */
export const decisionKinds = ["agreed", "changed", "entered", "rest", "blind", "second"] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** Who made a decision: a marker or the educator, under their link, or the team by command. */
export type DeciderRole = "marker" | "educator" | "team";

/** A stored decision, as part of the mark that it decided. */
export interface Decision {
  id: number;
  how: DecisionKind;
  by: string;
  /** Distinguishes a marker from an educator of the same name. */
  role: DeciderRole;
  /** ISO 8601, UTC. */
  at: string;
}

/** The name under which commands decide. */
export const teamName = "the team";

/** The name of markers whose names were erased, or are not shown. */
export const unnamedMarker = "a marker";

/** What the educator and the team read where the name was erased. */
export const erasedMarker = "a marker whose name was erased";

/**
 * The texts of a decision. Each is a field of the form that decides, and a column of this name in the tables of
 * decisions and of drafts; empty if none was given.
 */
export const decisionTexts = ["comment"] as const;
export type DecisionTexts = Record<(typeof decisionTexts)[number], string>;

/** The texts that were given, in the order of the form. */
export const textsIn = (given: Partial<Record<keyof DecisionTexts, string | null>>): string[] =>
  decisionTexts.flatMap((name) => given[name] || []);

/** The texts that were given, in quotation marks; empty without any. */
export const quotedTexts = (given: Partial<DecisionTexts>): string =>
  textsIn(given)
    .map((text) => `“${text}”`)
    .join(", ");

/** Returns the texts of a decision, each as `read` returns it. */
export const decisionTextsOf = (read: (name: keyof DecisionTexts) => string): DecisionTexts =>
  Object.fromEntries(decisionTexts.map((name) => [name, read(name)])) as DecisionTexts;

/** A point of the memo as a person saw it beside an answer, ticked or not. */
export interface GivenPoint {
  id: number;
  worth: number;
  isTicked: boolean;
}

/** What a person gives for an answer: one object from the form to the row. */
export interface Given extends DecisionTexts {
  /** Null if the question was not answered. */
  marks: number | null;
  /**
   * The points of the question, if a point is ticked, or if 0 or “not answered” was typed. Empty for other marks: they
   * do not say which points the answer lacks.
   */
  points: GivenPoint[];
  /** "taken" if the learner reads the proposal's reason, "left" if the person kept it back; otherwise missing. */
  reason?: "taken" | "left";
}

/** The other fields of a decision that gives only marks. */
export const nothingElse: Omit<Given, "marks"> = { ...decisionTextsOf(() => ""), points: [] };

/** The boxes of a form that decides; "withoutReason" keeps the reason of a proposal from the learner. */
const decisionBoxes = ["notAnswered", "withoutReason"] as const;
type TypedBox = (typeof decisionBoxes)[number];

/** What is typed into a form that decides. The form has a box of its own for each tick: see `results/ticks.ts`. */
export const decisionFields = ["marks", "ticks", ...decisionBoxes, ...decisionTexts] as const;
type TypedText = Exclude<(typeof decisionFields)[number], TypedBox>;
export type TypedDecision = Record<TypedBox, boolean> & Record<TypedText, string>;

/** What a form showed of a mark. */
export interface SeenMark {
  questionNumber: string;
  /** Id of the last decision on the mark; 0 if there was none. */
  decisionId: number;
  /** The marks that counted; null if there were none. */
  marks: number | null;
  /** The points of the memo, as `pointsKey` writes them; present if the form had boxes for them. */
  points?: string;
  /** Id of the import that proposed the mark; 0 if there was none. */
  importId: number;
  /** Id of the second marker's mark; missing if the form showed none. */
  secondId?: number;
}

export interface NewDecision {
  learnerId: number;
  /** The mark that was decided on, as the form showed it, with the number of its question. */
  seen: SeenMark;
  given: Given;
}

/** Why nothing was stored under a private link. */
export type LinkRejection =
  /** The link is unknown, expired, closed or revoked. */
  | { outcome: "no link" }
  | { outcome: "reading copy" }
  | { outcome: "signed"; signature: Signature }
  /** The learner or the question is gone, or the link does not open it. */
  | { outcome: "no learner" | "no question" }
  /**
   * The link may not do this. Changes of the class need a link to the whole class, problem pages a link to it that
   * shows names, and agreeing with the rest the educator's link.
   */
  | { outcome: "limited link" }
  /** The link is an educator's, which decides marks but does not change the class. */
  | { outcome: "educator’s link" };

export type DecisionRejection =
  /** The mark was changed after the form was made: the page shows what was typed and the mark as it is. */
  | { outcome: "conflict"; mark: QuestionMark }
  /** A ticked point was changed after the form was made. */
  | { outcome: "other points" }
  | { outcome: "too many"; totalMarks: number }
  | LinkRejection;

/** A repeated decision is stored once. */
export type DecisionOutcome = { outcome: "stored"; mark: QuestionMark } | DecisionRejection;

export interface NewSignature {
  by: string;
  /** The state of the class that the person saw: `figures` of `progressOf`. */
  figures: string;
  /** Maps a learner's id to the unmarked questions that are confirmed as nought, as a text such as “1.2, 3”. */
  confirmedNoughts: ReadonlyMap<number, string>;
  /** Number of differences between two markers that the person has seen and accepts: the first mark counts. */
  acceptedDifferences: number;
  /** The email to the team. */
  email: Email;
  sendsWebhook: boolean;
}

export type SigningOutcome =
  | { outcome: "stored"; signature: Signature }
  /**
   * "undecided": a proposal is not decided, or a nought is not confirmed; "decided since": a decision came after the
   * page was made.
   */
  | { outcome: "undecided" | "decided since" }
  /** Two markers differ on `count` answers, which the educator has neither decided nor accepted. */
  | { outcome: "differences"; count: number }
  | Extract<LinkRejection, { outcome: "no link" | "reading copy" | "signed" }>;

/** What has happened to the marks of a request. Times are ISO 8601, UTC. */
export type MarksEvent = { at: string } & (
  | ({
      event: "decided";
      by: string;
      role: DeciderRole;
      fileName: string;
      studentName: string;
      questionNumber: string;
      from: number | null;
      to: number;
      notAnswered: boolean;
      how: DecisionKind;
      points: GivenPoint[] | null;
      /** The reason of the proposal, if the person took it with the mark. */
      reason: string | null;
    } & Record<keyof DecisionTexts, string | null>)
  | { event: "signed"; by: string }
  | { event: "reopened" }
  | ({ event: "imported" } & ImportCounts)
  /** New questions replaced marks, or an import replaced them before imports were recorded. */
  | { event: "replaced"; discardedDecisions: number }
);
