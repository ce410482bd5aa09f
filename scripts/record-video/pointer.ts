import type { Locator } from "playwright-core";

/** A mouse or a finger. It is drawn on the page, because screenshots show neither. */
export interface Pointer {
  /** Draws the pointer on a page that has been opened. */
  appear(): Promise<void>;
  press(target: Locator): Promise<void>;
  /** Puts files into a picker. */
  give(files: string[], picker: Locator): Promise<void>;
}

export interface Point {
  x: number;
  y: number;
}

/** @returns the middle of an element, in CSS pixels from the window's top left corner */
export async function middleOf(target: Locator): Promise<Point> {
  const box = (await target.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Ease-in-out (smootherstep) of a progress from 0 to 1. */
export const eased = (progress: number) => progress ** 3 * (progress * (progress * 6 - 15) + 10);
