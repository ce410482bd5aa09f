/** Work on a class that needs no person: cutting its scans, and rendering its files. */

/** The work on one class, leased. */
export interface ClassJob {
  id: number;
  lease: string;
  assessmentId: number;
  reference: string;
  /** Number of leases in a row, including this one, that cut no scan, rendered no file and were not given back. */
  attempts: number;
}

/** How many scripts of a class can be shown while its other scripts are being rendered. */
export interface ScriptsReady {
  ready: number;
  total: number;
}

export interface RenderReport {
  file: string;
  /** 0 if the file is shown as text, or only its original opens. */
  pages: number;
  /** Sentences that begin with the file: why only the original opens, or what may be wrong with a page. */
  problems: string[];
}
