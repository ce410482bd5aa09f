import type { MarkedSubmission, Signature } from "./result.ts";

/** The data stored under an email address or a name: a data subject, in the terms of POPIA. */
export interface Subject {
  /** References of the person's requests. */
  references: string[];
  /** Ids of the person's rows by table; rows with the bytes of files are left out. */
  ids: Record<string, number[]>;
  /** Number of rows of `ids`, outside the person's requests, that only name the person: an erasure removes the name. */
  named: { markingLinks: number; teamActions: number; imports: number };
  /** Number of the person's emails, without the webhooks that `ids` also lists. */
  emails: number;
}

export interface DeletedCounts {
  requests: number;
  files: number;
  emails: number;
  subscriptions: number;
}

export interface ErasedCounts extends DeletedCounts {
  /** Number of marking links whose marker's name and address were replaced; missing if there were none. */
  markingLinks?: number;
}

/** What is stored about one learner of a class. */
export interface LearnerData {
  learnerId: number;
  number: string;
  name: string;
  /** Ids of the learner's rows by table; rows with the bytes of files are left out. */
  ids: Subject["ids"];
  /** The learner's marks in archives of replaced results, and when they were replaced. */
  replaced: (MarkedSubmission & { replacedAt: string })[];
  /** Files that no other learner has. */
  files: { id: number; name: string }[];
  /** Files of which other learners have pages, with the pages that only this learner has. */
  shared: { id: number; name: string; pages: number[] }[];
  /** Present if the learner cannot be erased now. */
  rejection?: ErasureRejection;
  /** Data that an erasure leaves, besides shared files: the program cannot tell which learners the data is about. */
  remains: {
    /** Names of files that belong to no learner, such as a class list. */
    filesOfNobody: string[];
    /** Problem pages that were given to no learner. */
    problemPages: { scan: string; page: number; reason: string }[];
    /** Number of learners in archives of replaced results who are not in the class any more. */
    archivedMarks: number;
    /** Number of emails about the request that were sent, with the names of its files. */
    sentEmails: number;
  };
}

/** Why a learner of a class cannot be erased. */
export type ErasureRejection =
  /** The request has the work of no other learner. Nothing is erased: delete the request instead. */
  | { outcome: "only learner" }
  /** A scan may have the learner's work, which would come back as problem pages. */
  | { outcome: "uncut scans"; scans: string[] }
  | { outcome: "signed"; signature: Signature };

export type LearnerErasure =
  | { outcome: "erased"; files: number }
  | { outcome: "no learner" }
  | ErasureRejection;

/** What the audit table records. */
export const auditActions = [
  "results imported",
  "class pages exported",
  "subject erased",
  "requests purged",
  "subscription removed",
  "requests expired",
  "subject exported",
  "requests exported",
  "files exported",
  "results published",
  "results revoked",
  "mark decided",
  "results link opened",
  "results signed",
  "results reopened",
  "reading copy shared",
  "reading copies revoked",
  "backup restored",
  "marking opened",
  "marking closed",
  "marking link opened",
  "original opened",
  "scan sent",
  "scan split",
  "learner erased",
  "problem pages given",
  "problem pages discarded",
  "problem pages put back",
  "scripts exported",
  "team link made",
  "team link closed",
  "class list stored",
  "questions set",
  "file assigned",
  "file taken away",
  "marking handed over",
  "reply to a marker",
  "names exported",
  "sheet filled",
] as const;
export type AuditAction = (typeof auditActions)[number];
