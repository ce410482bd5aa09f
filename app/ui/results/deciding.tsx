import { quotedTexts } from "../../domain/decision.ts";
import type { QuestionMark } from "../../domain/result.ts";
import type { WrongField } from "../../results/typed-decision.ts";
import { nameOfDecider, type Reader } from "../../results/who-decided.ts";

/** A form of results or of the desk that was posted and is returned for correction. */
export interface ReturnedDecision {
  /** The value of the pressed button, "" if it has none; "stamp" or "ask" if a stamp or question was rejected. */
  intent: string;
  /** A sentence for the person. */
  error: string;
  /** The field that is wrong, if the error is about one. */
  field?: WrongField;
  /** What was posted. */
  typed: Record<string, string>;
  /** The mark as it is now, if it was changed after the form was made. */
  current?: QuestionMark;
  /** The URL on the desk where the mark is decided instead. */
  deskHref?: string;
}

/** Says what a mark was changed to after a form was made. */
export function sentenceOf(mark: QuestionMark, reader: Reader): string {
  const { marksAwarded, notAnswered } = mark;
  const marks = notAnswered ? "not answered" : marksAwarded;
  const decider = nameOfDecider(mark, reader);
  const open = marks === null ? "It has no mark now" : `The proposal is now ${marks}`;
  const by = decider ? `Decided by ${decider}: ${marks}` : open;
  const texts = quotedTexts(mark);
  return `${by}${texts && ` (${texts})`}. Save to put yours in its place, or leave it.`;
}

export function HiddenInputs({ fields }: { fields: Record<string, string> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}
