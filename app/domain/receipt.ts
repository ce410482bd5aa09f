export type FormName =
  | "contact"
  | "demo-request"
  | "demo-upload"
  | "rubric-request"
  | "subscription";

/** What a visitor gets back for a form, and finds again under its reference. */
export interface Receipt {
  form: FormName;
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  fileCount: number;
  /** Empty once the names are no longer shown. */
  files: { field: string; name: string; size: number }[];
}
