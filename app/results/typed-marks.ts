/** Marks as people type them. The desk’s script loads this file, but none of typed-decision.ts. */

/** The number of a text such as 6.25 or 6,25; Infinity if it has hundreds of digits. */
export const numberIn = (text: string): number => Number(text.replace(",", "."));

/** Whether a text is a number in quarters. */
export const isInQuarters = (text: string): boolean => /^\d+([.,](0|25|5|75)0*)?$/.test(text);
