/** Decisions of people on marks, and the signature that ends them. */
import type { Email } from "./email.ts";
import type { QuestionMark, Signature } from "./result.ts";

/**
 * How a person decided a mark: "agreed" with the proposal, "changed" it, "entered" one where there was
 * none, or agreed with "rest", all proposals of a learner that were left, in one press; "blind" without a view of the proposal. The mark of a
 * "second" marker does not count.
 */
export const decisionKinds = ["agreed", "changed", "entered", "rest", "blind", "second"] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** A stored decision, as its mark names it. */
export interface Decision {
  id: number;
  how: DecisionKind;
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** The name under which commands decide. */
export const teamName = "the team";

/** The name of markers whose names were erased, or are not shown. */
export const unnamedMarker = "a marker";

/** Who decides: the person who opened a private link, or the team by command. */
export type Decider = { token: string } | { assessmentId: number };

/** What a form showed of a mark. */
export interface SeenMark {
  questionNumber: string;
  /** The last decision; 0 if there was none. */
  decisionId: number;
  /** What counted. */
  marks: number | null;
}

/** A decision before it is stored. */
export interface NewDecision {
  /** Position in the class, from 0. */
  learner: number;
  /** The mark that was decided on, of this question. */
  seen: SeenMark;
  /** Null if the question was not answered. */
  marks: number | null;
  /** Empty if none was given. */
  comment: string;
}

/** Why nothing was decided. */
export type DecisionRejection =
  | { outcome: "no link" | "reading copy" | "no learner" | "no question" }
  | { outcome: "signed"; signature: Signature }
  /** The mark has become another since the form was made. */
  | { outcome: "conflict"; mark: QuestionMark }
  | { outcome: "too many"; totalMarks: number };

/** A repeated decision is stored once. */
export type DecisionOutcome = { outcome: "stored"; mark: QuestionMark } | DecisionRejection;

/** The outcome of agreeing with all proposals of a learner that are left. */
export type RestOutcome = { outcome: "stored"; count: number } | DecisionRejection;

/** A signature before it is stored. */
export interface NewSignature {
  by: string;
  /** The last decision of the class that the person saw; 0 if there was none. */
  lastDecisionId: number;
  /** Positions of the learners whose marks without a proposal are confirmed as nought. */
  confirmedNoughts: number[];
  /** To the team. */
  email: Email;
  sendsWebhook: boolean;
}

export type SigningOutcome =
  | { outcome: "stored"; signature: Signature }
  | { outcome: "no link" | "reading copy" | "undecided" | "decided since" }
  | { outcome: "signed"; signature: Signature };

/** What has happened to the marks of a request. Times are ISO 8601, UTC. */
export type MarksEvent = { at: string } & (
  | {
      event: "decided";
      by: string;
      fileName: string;
      studentName: string;
      questionNumber: string;
      from: number | null;
      to: number;
      notAnswered: boolean;
      comment: string | null;
      how: DecisionKind;
    }
  | { event: "signed"; by: string }
  | { event: "reopened" }
  /** By a further import, or by other questions. */
  | { event: "replaced"; discardedDecisions: number }
);
