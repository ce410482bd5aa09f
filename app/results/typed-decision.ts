/** Comments, names and numbers as people type them. */
import { isReadableLine, withoutInvisible } from "../domain/characters.ts";
import type { DecisionTexts } from "../domain/decision.ts";
import { isInQuarters, numberIn } from "./typed-marks.ts";

/** Maximum length of a comment on a mark, in characters. */
const maxComment = 5000;
/** Maximum length of a comment on a page, in characters. */
export const maxStampText = 200;
/** Maximum length of the name under a signature, in characters. */
export const maxName = 200;

/**
 * Maximum length of a field that comes back for correction or stays as a draft, in characters. The rest is cut off: the
 * whole of a post would become a page several times as large.
 */
export const maxTyped = 20_000;

/** The fields that an error may be about, by name. Other errors are about the mark or the whole form. */
export type WrongField =
  | keyof DecisionTexts
  | "title"
  | "stampText"
  | "down"
  | "name"
  | "number"
  | "page";

/** What is wrong with what was typed. */
export interface Wrong {
  /** A sentence for the person. */
  error: string;
  field?: WrongField;
}

/** The number of a text such as 3 or 2,5; any other text as it is, to be reported. */
export const numberOrText = (text: string): number | string =>
  /^\d+([.,]\d+)?$/.test(text) ? numberIn(text) : text;

/** Reads marks with a decimal point or comma. @param totalMarks what they are out of, if that is known */
export function readMarks(typed: string, totalMarks = Number.POSITIVE_INFINITY): number | Wrong {
  const text = typed.trim();
  if (text === "") return { error: "Type the marks, or choose “not answered”." };
  if (/^[-−–]\s*\d/.test(text)) return { error: "Marks cannot be less than 0." };
  const marks = numberOrText(text);
  if (typeof marks === "string") {
    return { error: "Type the marks as a number, such as 6 or 6.25." };
  }
  if (marks > totalMarks) {
    const shown = text.length > 10 ? "This" : text;
    return { error: `${shown} is more than the ${totalMarks} of this question.` };
  }
  return isInQuarters(text)
    ? marks
    : { error: "Marks go in quarters, such as 6, 6.25, 6.5 or 6.75." };
}

/** Reads a comment: one paragraph, which may be empty. @param what names the comment in errors */
export function readComment(typed: string, max = maxComment, what = "The comment"): string | Wrong {
  const text = withoutInvisible(typed.replace(/[\r\n\t]+/g, " ")).trim();
  return checked(what, text, max);
}

/** Reads the name under a signature. */
export function readName(typed: string): string | Wrong {
  const text = withoutInvisible(typed).trim();
  if (text === "") return { error: "Type your name: it stands under the marks." };
  return checked("The name", text, maxName);
}

/** Maximum length of a learner's number, in characters. */
const maxNumber = 20;

/** Reads a learner's number, such as 12 or 9B-07. */
export function readLearnerNumber(typed: string): string | Wrong {
  const text = withoutInvisible(typed).trim();
  if (text === "") return { error: "Type the learner’s number." };
  return checked("The number", text, maxNumber);
}

function checked(what: string, text: string, max: number): string | Wrong {
  if (text.length > max) {
    const [count, most] = [text.length, max].map(inThousands);
    return { error: `${what} has ${count} characters; it may have ${most}.` };
  }
  return isReadableLine(text)
    ? text
    : { error: `${what} contains a character that cannot be read. Please type it again.` };
}

const inThousands = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
