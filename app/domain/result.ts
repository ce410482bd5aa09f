/** The results of a class, in the format that pages and API endpoints use. */
import type { ScriptsReady } from "./class-jobs.ts";
import type { Decision, DecisionTexts, GivenPoint } from "./decision.ts";
import type { PointsByQuestion } from "./memo-point.ts";

/** A choice among questions: of those of a group, the best ones count. */
export interface Choice {
  /** From 1, in the order of the paper. */
  group: number;
  /** How many questions of the group count. */
  best: number;
}

/** The marks for one question, with the texts of the person who decided them, if they were given. */
export interface QuestionMark extends Partial<DecisionTexts> {
  questionNumber: string;
  description: string;
  totalMarks: number;
  /** Present if the question is part of a choice. */
  choice?: Choice;
  /** The marks that count; null while there is neither a proposal nor a decision. */
  marksAwarded: number | null;
  /** The reason of the proposal; may be empty. */
  feedback: string;
  /**
   * The import that proposed the mark and its reason. Missing if there is no proposal, or if the mark was imported
   * before imports had ids: the reasons of such marks are printed for learners, whatever was decided.
   */
  importId?: number;
  /** Present if the decision took the reason of the proposal: the learner reads it. */
  takesReason?: true;
  /** Present if the model was unsure of the mark that it proposed. */
  unsure?: true;
  /** The proposal; present once a person has decided the mark, and null if there was none. */
  proposedMarks?: number | null;
  /** Present if a person decided that the question was not answered, which counts 0. */
  notAnswered?: true;
  /** Present if the last decision says something about the points of the memo. */
  points?: GivenPoint[];
  /** The last decision; missing before there is one, and in marks that the team decided with release 1.0.0. */
  decision?: Decision;
  /** The marks of the decision that was made without a view of the proposal, whatever counts now. */
  blindMarks?: number;
  /** A second marker's mark. */
  second?: SecondMark;
}

/** The mark of a second marker, which does not count. */
export interface SecondMark extends Omit<Decision, "how" | "role">, Partial<DecisionTexts> {
  /** 0 if the question was not answered. */
  marks: number;
  notAnswered?: true;
  points?: GivenPoint[];
  /** By how much the marks of both markers may differ. */
  tolerance: number;
  /** Present once a person has decided in view of both marks, or has signed the first mark. */
  isResolved?: true;
}

/** Why a learner gets no grade: there is no work, or it cannot be read. */
export const noGradeReasons = ["absent", "unreadable"] as const;
export type NoGrade = (typeof noGradeReasons)[number];
export const isNoGrade = (text: string | undefined): text is NoGrade =>
  noGradeReasons.some((reason) => reason === text);

/** One learner's marked work. */
export interface MarkedSubmission {
  /** Missing in a results file. */
  learnerId?: number;
  studentName: string;
  fileName: string;
  /** Missing before the marking desk has been opened. */
  learnerNumber?: string;
  /** Present if a class list gave the number: people outside this program know the learner by it. */
  isNumberListed?: true;
  /** Present if the learner gets no grade, whatever the marks. */
  noGrade?: NoGrade;
  /** A whole percentage; null until every question has a mark, and with `noGrade`. */
  grade: number | null;
  /** About the submission as a whole; may be empty. */
  feedback: string;
  questionMarks: QuestionMark[];
}

/** The number that a class list gave the learner; undefined without such a number. */
export const listedNumber = ({
  learnerNumber,
  isNumberListed,
}: Pick<MarkedSubmission, "learnerNumber" | "isNumberListed">): string | undefined =>
  isNumberListed && learnerNumber;

export interface ResultSummary {
  /** Mean of the grades, not rounded; null if no learner has a grade. */
  averageGrade: number | null;
  totalSubmissions: number;
}

export interface Results extends ResultSummary {
  title: string;
  /** At least one; in the order in which they joined the class. */
  submissions: MarkedSubmission[];
  /** The points of memos, by the number of the question; missing if no memo has any. */
  points?: PointsByQuestion;
  /** Present while the marks are signed: nothing can be changed until the team reopens them. */
  signed?: Signature;
  /** The private link that has opened the results; missing for the sample and for commands. */
  link?: OpenedLink;
  /** The files that the sample's marks belong to; only for the sample. */
  sampleFiles?: { name: string; href: string }[];
}

/** Who has said that all marks are decided and final. */
export interface Signature {
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** What a private link may do: decide marks and sign them, or only read them (a reading copy). */
export type LinkKind = "decide" | "read";

/** A private link as it opens results. Times are ISO 8601, UTC. */
export interface OpenedLink {
  kind: LinkKind;
  reference: string;
  /** Who sent the work; decisions under the link are recorded under this name. */
  sender: string;
  expiresAt: string;
  /** When the request was received, from which its retention counts. */
  receivedAt: string;
  /** When the link was first opened; null if this is the first time. */
  openedAt: string | null;
  /** How many scripts can be shown; null unless other scripts are being rendered. */
  scriptsReady: ScriptsReady | null;
}

/** Whether the person who opened the results may decide marks, on the desk, and sign them. */
export const canDecide = ({ link, signed }: Pick<Results, "link" | "signed">): boolean =>
  link?.kind === "decide" && !signed;

/** The token of the sample, accepted instead of a private link's token: by pages of results, and by the desk. */
export const sampleToken = "sample";
