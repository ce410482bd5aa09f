/** The parts of which a child process writes a PDF, such as a script. */
import type { PageTurn, Stamp } from "../domain/stamp.ts";

/** "pencil": what is proposed. "red": what a person decided, in handwriting if it is short. "ink": all other text. */
export type TextColour = "ink" | "pencil" | "red";

/** A paragraph of text, in lines as wide as the page allows. */
export interface TextBlock {
  text: string;
  size: "title" | "heading" | "body";
  colour: TextColour;
  /** Present if the text is a name under which a line is drawn. */
  isSignature?: true;
  right?: { text: string; colour: TextColour; isRinged?: true };
}

export interface ScriptPage {
  /** From 1. */
  page: number;
  turn: PageTurn;
  stamps?: Stamp[];
}

/** The sheet on top of a learner's script, by which a scan of the class is cut. */
export interface CoverSheet {
  number: string;
  name: string;
  /** The number in the sheet's code that tells classes apart; missing on sheets that fit any class. */
  classNumber?: string;
}

/** Pages of text, pages of a file, or a cover sheet. */
export type ScriptPart =
  | { blocks: TextBlock[] }
  | { file: Buffer; pages: ScriptPage[] }
  | { sheet: CoverSheet };
