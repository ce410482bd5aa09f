/** Marks as people type them. The desk’s script loads this file, but none of typed-decision.ts. */
import type { Wrong } from "./typed-decision.ts";

/** Reads marks with a decimal point or comma. @param totalMarks what they are out of, if that is known */
export function readMarks(typed: string, totalMarks = Number.POSITIVE_INFINITY): number | Wrong {
  const text = typed.trim();
  if (text === "") return { error: "Type the marks, or choose “not answered”." };
  if (/^[-−–]\s*\d/.test(text)) return { error: "Marks cannot be less than 0." };
  if (!/^\d+([.,]\d+)?$/.test(text)) {
    return { error: "Type the marks as a number, such as 6 or 6.25." };
  }
  // The cap replaces Infinity, which a very long number becomes, so that it is reported as too many marks.
  const marks = Math.min(Number(text.replace(",", ".")), Number.MAX_SAFE_INTEGER);
  if (marks > totalMarks) {
    const shown = text.length > 10 ? "This" : text;
    return { error: `${shown} is more than the ${totalMarks} of this question.` };
  }
  // A number with many decimals may be rounded to a quarter, so its digits are checked too.
  return Number.isInteger(marks * 4) && /^\d+([.,]\d{1,2}0*)?$/.test(text)
    ? marks
    : { error: "Marks go in quarters, such as 6, 6.25, 6.5 or 6.75." };
}
