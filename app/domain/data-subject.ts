/** The data stored under an email address: a data subject, in the terms of POPIA. */
export interface Subject {
  /** References of the person's requests. */
  references: string[];
  /** The ids of the person's rows by table, without those of the bytes of files. */
  ids: Record<string, number[]>;
}

/** Numbers of deleted rows. */
export interface DeletedCounts {
  requests: number;
  files: number;
  emails: number;
  subscriptions: number;
}

/** What an erasure did. */
export interface ErasedCounts extends DeletedCounts {
  /** Marking links whose marker's name and address were replaced; missing if there were none. */
  markingLinks?: number;
}

/** What the audit table records. */
export type AuditAction =
  | "subject erased"
  | "requests purged"
  | "subscription removed"
  | "requests expired"
  | "subject exported"
  | "requests exported"
  | "files exported"
  | "results published"
  | "results revoked"
  | "mark decided"
  | "results link opened"
  | "results signed"
  | "results reopened"
  | "reading copy shared"
  | "reading copies revoked"
  | "backup restored"
  | "marking opened"
  | "marking closed"
  | "marking link opened"
  | "original opened"
  | "scan split"
  | "problem pages given"
  | "problem pages discarded"
  | "problem pages put back"
  | "scripts exported";
