/** Files as the marking desk shows them. */
import type { PageTurn } from "./stamp.ts";

/** Files are shown as pictures of their pages, or as paragraphs of text; of others only the original can be opened. */
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

export interface ShownPage extends PageImage {
  turn: PageTurn;
}

/** A page with its picture, as WebP. */
export type RenderedPage = PageImage & { webp: Buffer };

/** What the renderer gives for a file. */
export type RenderedFile =
  | { kind: "pages"; pages: RenderedPage[] }
  | { kind: "paragraphs"; paragraphs: string[] }
  /** The reason is the rest of a sentence that begins with the file, whose name may be the learner's. */
  | { kind: "original"; reason: string };
