/** "Ask the lead": a marker's question about an answer, and the lead's reply. */
import type { LinkRejection } from "./decision.ts";
import type { AnswerKey } from "./desk.ts";

/** Maximum length of a question to the lead, or of a reply, in characters. */
export const maxAsked = 500;

/** The value of the button that asks the lead, and the id and name of the field with the question. */
export const askIntent = "ask";

/** A question to the lead as its marker sees it. Under a link, each answer has at most one question. */
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

export type NewQuestion = AnswerKey & Pick<Asked, "text">;

/** What becomes of a question to the lead; a question that is posted again is stored once. */
export type AskOutcome =
  | { outcome: "stored" }
  /** The link has asked something else about the answer. */
  | { outcome: "asked before" }
  /** The link has `max` questions without a reply. */
  | { outcome: "too many questions"; max: number }
  | LinkRejection;

/** What becomes of a reply. "repeated": the same reply was stored before. "replied before": another was stored. */
export type ReplyOutcome =
  /** `isRead`: whether the marker can read the reply, because the link of the question is still open. */
  | { outcome: "stored" | "repeated"; isRead: boolean }
  | { outcome: "replied before" | "no question" };
