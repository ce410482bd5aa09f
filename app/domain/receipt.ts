import type { FormName } from "./request.ts";

/** Confirms to a visitor that a request was received. Can be opened again with the reference. */
export interface Receipt {
  form: FormName;
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  fileCount: number;
  /** Empty once the receipt is older than a day. */
  files: { field: string; name: string; size: number }[];
}
