/** Scans of a class on their way to be cut: sent in parts, and cut in the background. */

/** Scans that are cut together. */
export interface NewScanUpload {
  /** Made up by the sender: what is sent again is stored once. */
  key: string;
  scans: { name: string; size: number }[];
  /** How many pages every script has; null if cover sheets say where each ends. */
  scriptPages: number | null;
}

/** An upload that has arrived whole and is not cut yet. */
export interface QueuedUpload extends Omit<NewScanUpload, "key"> {
  id: number;
}

/** A page of a scan. */
interface ScanPage {
  scan: string;
  page: number;
}

/** What scans were cut into. */
export interface SplitReport {
  scripts: { number: string | null; name: string; scan: string; pages: number }[];
  problems: (ScanPage & { reason: string })[];
  /** Numbers of learners without work for whom there was no sheet. */
  missing: string[];
  longer: string[];
  double: string[];
  unknown: string[];
  withoutPages: string[];
  blank: ScanPage[];
  /** Names of scans that were cut before, and are left as they are. */
  splitBefore: string[];
}

/** What became of an upload: what it was cut into, or why nothing of it was stored. */
export type SplitOutcome = { report: SplitReport } | { failure: string };

/** An upload as it is shown. */
export interface ShownScanUpload {
  key: string;
  names: string[];
  createdAt: string;
  /** "arriving" until all parts are there, then "waiting" to be cut. */
  state: "arriving" | "waiting" | SplitOutcome;
}

/** Bytes of a scan: a child that reads one has room for it three times. */
export const maxScanBytes = 100 * 1_048_576;
/** Bytes of a part. */
export const scanPartBytes = 1_048_576;
