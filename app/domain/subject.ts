/** Everything that is stored under one email address (the data subject's, in POPIA's terms). */
export interface Subject {
  /** References of the person's requests. */
  references: string[];
  /** Rows by table, under the columns' names in the database; without the bytes of files. */
  rows: Record<string, Record<string, unknown>[]>;
}

/** How many of each were deleted. */
export interface Deleted {
  requests: number;
  files: number;
  emails: number;
  subscriptions: number;
}

export type AuditAction = "subject erased" | "requests purged" | "subscription removed";
