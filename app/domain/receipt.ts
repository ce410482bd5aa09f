import type { FormName } from "./request.ts";

/** Confirms to a visitor what was received. Can be shown again by its reference. */
export interface Receipt {
  form: FormName;
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  fileCount: number;
  /** Empty when the receipt is older than a day. */
  files: { field: string; name: string; size: number }[];
}
