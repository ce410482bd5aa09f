import type { FormName } from "./request.ts";

export interface Received {
  form: FormName;
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
}

/** Confirms to a visitor that a request was received. Can be opened again with the reference. */
export interface Receipt extends Received {
  fileCount: number;
  /** Empty once the receipt is a day old, or marking has begun. */
  files: { field: string; name: string; size: number }[];
  /** Present once marking has begun. Times are ISO 8601, UTC. */
  marking?: {
    /** The earliest of these: a marking link was made, a mark was imported or decided, `readyAt`. */
    startedAt: string;
    /** When the sender first got a link to the marks that was not revoked; missing before that. */
    readyAt?: string;
  };
}
