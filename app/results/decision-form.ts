/**
 * The forms with which an educator decides and signs: what they post, and what is wrong with it. Each
 * form posts `intent`.
 */
import type { NewDecision, SeenMark } from "../domain/decision.ts";
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { seenOf } from "./apply-decision.ts";
import { isDecided } from "./class-report.ts";
import { hasOpenProposal } from "./decision-progress.ts";
import { readComment, readMarks } from "./typed-decision.ts";

type Typed = Record<string, string>;

interface Wrong {
  /** A sentence for the person. */
  error: string;
}

/** The hidden fields of a form about one mark: the mark as the form shows it. */
export function seenFields(mark: QuestionMark): Record<string, string> {
  const { questionNumber, decisionId, marks } = seenOf(mark);
  return { question: questionNumber, seen: String(decisionId), was: String(marks ?? "") };
}

/** What the fields of a form show before a person types: the mark that was decided. */
export const typedBefore = (mark: QuestionMark) => ({
  marks: isDecided(mark) && !mark.notAnswered ? String(mark.marksAwarded) : "",
  comment: mark.comment ?? "",
  notAnswered: mark.notAnswered ?? false,
});

/** The hidden fields of "agree with the rest". */
export const restFields = ({ questionMarks }: MarkedSubmission): Record<string, string> => ({
  rest: JSON.stringify(
    questionMarks
      .filter(hasOpenProposal)
      .map(({ questionNumber, marksAwarded }) => [questionNumber, marksAwarded]),
  ),
});

/** The field that confirms a learner's questions without a proposal as nought. */
export const noughtField = (index: number) => `nought-${index + 1}`;

/**
 * Reads the form about one mark, whose intent is "agree" or "save". Its fields besides the hidden ones are
 * `marks`, `notAnswered` and `comment`.
 * @param mark of the question that the form names
 */
export function readDecision(
  typed: Typed,
  learner: number,
  mark: QuestionMark,
): NewDecision | Wrong {
  const seen = readSeen(typed);
  if (!seen) return { error: "The form was incomplete. Please decide on this page again." };
  if (typed.intent === "agree") {
    const { marks } = seen;
    if (marks === null) return { error: "Nothing is proposed here: type the marks." };
    return { learner, seen, marks, comment: "" };
  }
  const comment = readComment(typed.comment ?? "");
  if (typeof comment !== "string") return comment;
  if (typed.notAnswered !== undefined) {
    return isNought(typed.marks)
      ? { learner, seen, marks: null, comment }
      : { error: "Either type marks or choose “not answered”, not both." };
  }
  const marks = readMarks(typed.marks ?? "", mark.totalMarks);
  return typeof marks === "number" ? { learner, seen, marks, comment } : marks;
}

const isNought = (marks = "") => /^[\s0.,]*$/.test(marks);

function readSeen({ question, seen = "", was = "" }: Typed): SeenMark | undefined {
  const isWhole = /^\d{1,15}$/.test(seen) && /^(\d{1,4}(\.\d{1,2})?)?$/.test(was);
  if (question === undefined || !isWhole) return undefined;
  return {
    questionNumber: question,
    decisionId: Number(seen),
    marks: was === "" ? null : Number(was),
  };
}

/** Reads what "agree with the rest" has seen. */
export function readRest({ rest = "" }: Typed): SeenMark[] | undefined {
  try {
    const pairs: unknown = JSON.parse(rest);
    if (!Array.isArray(pairs) || pairs.length > 100) return undefined;
    return pairs.map(([questionNumber, marks]) => {
      if (typeof questionNumber !== "string" || typeof marks !== "number") throw new TypeError();
      return { questionNumber, decisionId: 0, marks };
    });
  } catch {
    return undefined;
  }
}
