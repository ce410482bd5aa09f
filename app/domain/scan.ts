/** Scans of a class: a stack of scripts, each under the cover sheet of its learner. */
import type { LinkRejection } from "./decision.ts";
import type { Signature } from "./result.ts";
import type { SplitReport } from "./scan-upload.ts";
import type { PageTurn } from "./stamp.ts";

/** What `uploaded_files.field` says of files that are cut from a scan; no form has a field of this name. */
export const scannedPages = "scannedPages";

/** What was read from a page of a scan. */
export interface ScannedPage {
  /** From 1. */
  page: number;
  /** The learner's number, if the page is a cover sheet. */
  sheetNumber: string | null;
  /** Of a cover sheet: the number of its class; null if its code has none. */
  classNumber?: string | null;
  /** Of a cover sheet: whether there may be writing on it. */
  isWrittenOn?: boolean;
  /** The turn that brings a cover sheet upright. */
  turn: PageTurn;
  isBlank: boolean;
}

/** A scan that is cut, before it is stored. Each file is a staged PDF. */
export interface NewScan {
  name: string;
  /** The hash of the scan, by which it is stored once. */
  sha256: string;
  /** A script without a learner's id gets a new learner, named after the file. */
  scripts: { learnerId: number | null; fileId: number }[];
  /** Pages that belong to no learner, each a file of its own. */
  problems: { page: number; reason: string; fileId: number }[];
  /** The upload to end with this scan; missing unless the scan is the upload's last. */
  ends?: { uploadId: number; report: SplitReport };
}

export type ScanOutcome =
  | { outcome: "stored" | "stored before" }
  /** A learner of a script has got work, or has gone, since the scan was read. */
  | { outcome: "changed" }
  | { outcome: "signed"; signature: Signature };

/** A page of a scan that belonged to no learner when the scan was cut. */
export interface ProblemPage {
  id: number;
  fileId: number;
  /** Name of the scan. */
  scan: string;
  page: number;
  /** Why the page belongs to no learner, as the rest of a sentence that begins with the page. */
  reason: string;
  turn: PageTurn;
  /** The size of the page's picture, in pixels; null if there is no picture. */
  size: { width: number; height: number } | null;
  /** The learner to whom the page was given; null if it was given to none. */
  learnerId: number | null;
  isDiscarded: boolean;
}

export const isOpenProblem = ({
  learnerId,
  isDiscarded,
}: Pick<ProblemPage, "learnerId" | "isDiscarded">): boolean => learnerId === null && !isDiscarded;

export type ProblemChange =
  | { change: "give"; ids: number[]; learnerId: number }
  /** Sets aside pages that belong to no learner. */
  | { change: "discard"; ids: number[] }
  /** Takes pages from the learner who was given them. Without a learner, discarded pages are open again. */
  | { change: "put back"; ids: number[]; learnerId: number | null }
  | { change: "turn"; ids: number[]; turn: PageTurn };

export type ProblemOutcome =
  | { outcome: "stored" }
  /** A page has been given to a learner: it cannot be discarded, or given to another one. */
  | { outcome: "given" }
  | { outcome: "no problem page" }
  | LinkRejection;
