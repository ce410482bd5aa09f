/** Marks as people type them. The desk’s script loads this file, but none of typed-decision.ts. */

/**
 * The number of a text such as 6.25 or 6,25. A very long number would become Infinity, which is not in quarters. With
 * the cap it is reported as too many marks.
 */
export const numberIn = (text: string): number =>
  Math.min(Number(text.replace(",", ".")), Number.MAX_SAFE_INTEGER);

/** Whether a text is a number in quarters. Checks its digits too, because JavaScript rounds a long number. */
export const isInQuarters = (text: string): boolean =>
  Number.isInteger(numberIn(text) * 4) && /^\d+([.,]\d{1,2}0*)?$/.test(text);
