/** Marks as people type them. The desk’s script loads this file, but none of typed-decision.ts. */

/**
 * The number of a text such as 6.25 or 6,25. The cap replaces Infinity, which a very long number becomes, so that it is
 * reported as too many marks.
 */
export const numberIn = (text: string): number =>
  Math.min(Number(text.replace(",", ".")), Number.MAX_SAFE_INTEGER);

/** Whether a text is a number in quarters. Its digits are checked too, because 0.25000000000000001 is rounded to 0.25. */
export const isInQuarters = (text: string): boolean =>
  Number.isInteger(numberIn(text) * 4) && /^\d+([.,]\d{1,2}0*)?$/.test(text);
