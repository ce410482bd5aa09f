/** "Ask the lead": a marker's question about an answer, and the lead's reply. */
import type { LinkRejection } from "./decision.ts";
import type { AnswerKey } from "./desk.ts";

/** The characters of a question to the lead, and of a reply. */
export const maxAsked = 500;

/** The button that asks, and the place where the page shows what was asked. */
export const askIntent = "ask";

/** A question to the lead as its marker sees it. Each answer has at most one under a link. */
export interface Asked {
  text: string;
  /** Null before the lead has replied. */
  reply: string | null;
}

/** A question to the lead as the team's page lists it. */
export interface LeadQuestion extends Asked {
  id: number;
  marker: string;
  /** Name of the learner. */
  learner: string;
  learnerNumber: string;
  questionNumber: string;
  /** ISO 8601, UTC. */
  askedAt: string;
}

/** A question before it is stored. */
export type NewQuestion = AnswerKey & Pick<Asked, "text">;

/** What becomes of a question; the same one again is stored once. */
export type AskOutcome =
  | { outcome: "stored" }
  /** The link has asked something else about the answer. */
  | { outcome: "asked before" }
  /** The link has `max` questions without a reply. */
  | { outcome: "too many questions"; max: number }
  | LinkRejection;

/** What becomes of a reply; the same one again is stored once. */
export type ReplyOutcome = "stored" | "repeated" | "replied before" | "no question";
