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
  /** Whether the upload is cut or waits to be cut: its parts may be deleted by then. */
  isQueued: boolean;
  /** Positions of the parts of the scan that have arrived, from 0. */
  parts: number[];
}

/** An upload that has arrived whole and is not cut yet. */
export interface QueuedUpload {
  id: number;
  names: string[];
  scriptPages: number | null;
}

interface ScanPage {
  scan: string;
  page: number;
}

/** What scans were cut into. `Cut` in desk/cut-scans.ts describes the lists of numbers. */
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

export interface ShownScanUpload {
  key: string;
  names: string[];
  createdAt: string;
  /** Bytes of the upload that have arrived and are not deleted yet. */
  bytes: number;
  /** "arriving" until all parts are there, then "waiting" to be cut. */
  state: "arriving" | "waiting" | SplitOutcome;
}

/** Maximum size of a scan, in bytes: the child process that reads the scan has memory for three times its size. */
export const maxScanBytes = 100 * 1_048_576;
/** Bytes of each part of a scan but the last, which may have fewer. */
export const scanPartBytes = 1_048_576;
/** Maximum number of a class's uploads that are not cut yet. Each scan in them may take 100 MB until then. */
export const maxScanUploads = 8;
