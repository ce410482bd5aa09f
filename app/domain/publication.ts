import type { PaperQuestion } from "./desk.ts";
import type { Email } from "./email.ts";
import type { MarkedSubmission, QuestionMark, Results, Signature } from "./result.ts";

/** The progress of marking a demo upload. */
export type AssessmentStatus = "pending" | "submitted" | "graded" | "published";

/** A demo upload to be marked. */
export interface MarkingTarget {
  assessmentId: number;
  status: AssessmentStatus;
}

/** A question as it is after an import, with its memo if the import changes the memo. */
export type ImportedQuestion = Omit<PaperQuestion, "memo" | "choice"> & { memo?: string };

/**
 * A proposal. Null marks keep the stored marks. An empty reason keeps the stored reason, unless the marks change. An
 * import that replaces keeps neither.
 */
export type ImportedMark = Pick<
  QuestionMark,
  "questionNumber" | "marksAwarded" | "feedback" | "unsure"
>;

/** A learner's proposals. Empty texts keep the stored ones; if the import replaces, empty feedback deletes feedback. */
export interface ImportedSubmission
  extends Pick<MarkedSubmission, "learnerId" | "fileName" | "studentName" | "feedback"> {
  questionMarks: ImportedMark[];
}

/** Proposals for a class or a part of it. What an import lacks stays, unless ImportOptions say `replaces`. */
export interface ImportedResults {
  /** The new title of the class; empty to leave it. */
  title: string;
  /** Who proposed the marks, such as the name of a model; empty if the import does not say. */
  proposedBy: string;
  questions: ImportedQuestion[];
  submissions: ImportedSubmission[];
}

/** The learners that an import may be about, and the questions to which it adds. */
export interface ImportTarget {
  /** The title of the class; empty before it has one. */
  title: string;
  learners: {
    /** Missing before there are marks or a desk. */
    learnerId?: number;
    fileName: string;
    studentName?: string;
    /** Missing unless a class list gave it: other numbers are only places in the class. */
    learnerNumber?: string;
    /** Names of the files of which the learner has pages. */
    files?: string[];
  }[];
  questions: (ImportedQuestion & Pick<PaperQuestion, "choice">)[];
}

export interface ImportCounts {
  /** Empty if the import did not say. */
  proposedBy: string;
  /** How many proposals are new or changed, and of how many learners. */
  proposals: number;
  learners: number;
  discardedDecisions: number;
}

export type ImportOutcome =
  | ({
      outcome: "imported";
      /** The results after the import; missing if nothing was stored, because the person has not seen this preview. */
      results?: Results;
      /** The version of the preview: it changes with the class and with what the import would do. */
      version: string;
      /** Whether the class was already as the import would leave it, so that nothing was stored. */
      isRepeated?: true;
      /** Whether the class had questions before, with or without marks. */
      replaced: boolean;
      /** Number of marks decided before the import; they stay, or are discarded if that was asked for. */
      decided: number;
      /** Questions whose memo was imported, with its points. */
      memos: ImportedQuestion[];
    } & ImportCounts)
  | { outcome: "signed"; signature: Signature }
  /** A sentence for each reason against the import, such as a decided mark it would change; nothing was changed. */
  | { outcome: "conflicts"; conflicts: string[] }
  /** A sentence for each point that decisions name and the import would change; nothing was changed. */
  | { outcome: "other points"; conflicts: string[] };

/** The publication of results: a private link, and the email that contains it. */
export interface Publication {
  reference: string;
  token: string;
  /** The full URL, which contains the token. */
  link: string;
  email: Email;
  /** Name of the sender of the work, under which the link's decisions are recorded. */
  sender: string;
  expiresAt: Date;
  /** True for tests: the email is stored and not sent. */
  isOnHold: boolean;
}

/** A private link that can be opened. Times are ISO 8601, UTC. */
export interface OpenLink {
  createdAt: string;
  expiresAt: string;
}

/** A reading copy: a private link that decides nothing. */
export interface ReadingCopy {
  token: string;
  sender: string;
  expiresAt: Date;
}

/** A link that ends soon, to results that its recipient has not signed. Times are ISO 8601, UTC. */
export interface EndingLink {
  id: number;
  reference: string;
  recipient: string;
  createdAt: string;
  expiresAt: string;
}
