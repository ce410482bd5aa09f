/** What a visitor gets back for an upload, and finds again under its reference. */
export interface Receipt {
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  fileCount: number;
  /** Empty once the names are no longer shown. */
  files: { field: string; name: string; size: number }[];
}
