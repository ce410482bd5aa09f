/** Files as the marking desk shows them. */

/** "pages" are pictures, "paragraphs" a text; of others only the "original" can be opened. */
export const renderingKinds = ["pages", "paragraphs", "original"] as const;

/** A page of a rendered file, without its picture. */
export interface PageImage {
  /** From 1. */
  page: number;
  /** In pixels. */
  width: number;
  height: number;
  /** The text layer, if the page has one. */
  text?: string;
  /** What may be wrong with the picture. */
  warning?: string;
}

/** What the renderer gives for a file. */
export type RenderedFile =
  | { kind: "pages"; pages: (PageImage & { webp: Buffer })[] }
  | { kind: "paragraphs"; paragraphs: string[] }
  /** The reason is a sentence that begins with the file's name. */
  | { kind: "original"; reason: string };
