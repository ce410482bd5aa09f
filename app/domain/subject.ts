/** The data stored under an email address: a data subject, in the terms of POPIA. */
export interface Subject {
  /** References of the person's requests. */
  references: string[];
  /** Rows by table, with the columns' SQL names; without the bytes of files. */
  rows: Record<string, Record<string, unknown>[]>;
}

/** Numbers of deleted rows. */
export interface DeletedCounts {
  requests: number;
  files: number;
  emails: number;
  subscriptions: number;
}

/** A kind of deletion that the audit table records. */
export type AuditAction = "subject erased" | "requests purged" | "subscription removed";
