/** What markers and educators put on the pages and paragraphs of submissions. It decides no mark. */

export const stampKinds = ["tick", "cross", "question", "comment"] as const;
export type StampKind = (typeof stampKinds)[number];

/** By how many degrees a page is turned clockwise to be read. */
export const turns = [0, 90, 180, 270] as const;
export type PageTurn = (typeof turns)[number];

/** How a page is turned; with `turnsAll`, all other pages of the learner's work are turned by the same angle. */
export interface TurnedPage {
  fileId: number;
  page: number;
  turn: PageTurn;
  turnsAll?: boolean;
}

/** A stamp's place: at a point of a page, on the page as a whole, or at a paragraph. */
export interface StampPlace {
  fileId: number;
  /** From 1; null for a paragraph. */
  page: number | null;
  /** From 1; null for a page. */
  paragraph: number | null;
  /** A share of the page's width from its left edge, before it is turned; null for a whole page or a paragraph. */
  x: number | null;
  /** A share of the page's height from its top edge, before it is turned; null for a whole page or a paragraph. */
  y: number | null;
}

export interface NewStamp extends StampPlace {
  kind: StampKind;
  /** The comment; empty for other kinds. */
  text: string;
}

export interface Stamp extends NewStamp {
  id: number;
  /** The question that was being marked. */
  questionNumber: string;
}
