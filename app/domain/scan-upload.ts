/** Scans of a class on their way to be cut: sent in parts, and cut in the background. */

/** Scans that are cut together. */
export interface NewScanUpload {
  /** Chosen by the sender, so that an upload that is sent again is stored once. */
  key: string;
  /** The name of each scan. */
  names: string[];
}

/** What the sender says once all parts are sent. */
export interface SentScans {
  /** Bytes of each scan. */
  sizes: number[];
  /** How many pages every script has; null if cover sheets say where each ends. */
  scriptPages: number | null;
}

/** What has arrived of an upload with one scan. */
export interface ScanUploadStatus {
  id: number;
  /** Whether it is cut, or waits for that: then its parts may be gone. */
  isQueued: boolean;
  /** Positions of the parts of its first scan. */
  parts: number[];
}

/** An upload that has arrived whole and is not cut yet. */
export interface QueuedUpload {
  id: number;
  names: string[];
  scriptPages: number | null;
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
  /** How much of it has arrived and is not deleted yet. */
  bytes: number;
  /** "arriving" until all parts are there, then "waiting" to be cut. */
  state: "arriving" | "waiting" | SplitOutcome;
}

/** Bytes of a scan: a child that reads one has room for it three times. */
export const maxScanBytes = 100 * 1_048_576;
/** Bytes of a part; the last one may have fewer. */
export const scanPartBytes = 1_048_576;
/** Uploads of a class that are not cut yet. Each may take 100 MB until it is. */
export const maxScanUploads = 8;
