/** Work on a class that needs no person: rendering its files. */

/** The work on one class, leased. */
export interface ClassJob {
  id: number;
  lease: string;
  assessmentId: number;
  reference: string;
  /** How often it was taken since a file was last rendered, this time included. */
  attempts: number;
}

/** How many learners' scripts can be shown, while others are being rendered. */
export interface ScriptsReady {
  ready: number;
  total: number;
}

/** What became of a file. */
export interface RenderReport {
  file: string;
  pages: number;
  /** Why it must be opened itself, or what may be wrong with a page: sentences that begin with its name. */
  problems: string[];
}
