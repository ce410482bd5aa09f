/**
 * The forms with which people decide marks and the educator signs: what they post, and what is wrong with it. Each
 * form posts `intent`.
 */
import {
  type DecisionTexts,
  decisionTexts,
  decisionTextsOf,
  type NewDecision,
  nothingElse,
  type SeenMark,
  type TypedDecision,
} from "../domain/decision.ts";
import type { AnswerKey, MarkDraft } from "../domain/desk.ts";
import type { QuestionMark } from "../domain/result.ts";
import { idIn } from "../domain/row-id.ts";
import { givenOf, seenOf } from "./apply-decision.ts";
import { isAnyTicked, isSumOfTicks, readPointsKey, sumOfTicks, ticksIn, ticksOf } from "./ticks.ts";
import { readComment, readMarks, type Wrong } from "./typed-decision.ts";

type Typed = Record<string, string>;

/** The hidden fields of a form about one mark: the mark as the form shows it. */
export function seenFields(mark: QuestionMark): Record<string, string> {
  const { questionNumber, decisionId, marks, importId, secondId } = seenOf(mark);
  return {
    question: questionNumber,
    seen: String(decisionId),
    was: String(marks ?? ""),
    proposal: String(importId),
    ...(secondId !== undefined && { second: String(secondId) }),
  };
}

/** What the fields of a form show before a person types: the mark that was decided. */
export function typedBefore(mark: QuestionMark): TypedDecision {
  const { marks, points, reason: _, ...texts } = givenOf(mark) ?? { ...nothingElse, marks: null };
  return {
    ...texts,
    // Left empty if the mark is the sum of the ticks, so that the sum counts, also after a person changes the ticks.
    marks: isAnyTicked(points) && isSumOfTicks(mark) ? "" : String(marks ?? ""),
    notAnswered: mark.notAnswered ?? false,
    withoutReason: false,
    ticks: ticksOf(points),
  };
}

/** The hidden fields of "agree with the rest". @param proposed the marks to agree with */
export const restFields = (proposed: readonly QuestionMark[]): Record<string, string> => ({
  rest: JSON.stringify(
    proposed
      .map(seenOf)
      .map(({ questionNumber, marks, importId }) => [questionNumber, marks, importId]),
  ),
});

/** The boxes that keep reasons of proposals from the learner: the reason of the answer, and those of the rest. */
export const withoutReason = "withoutReason";
export const withoutReasons = "withoutReasons";

/** The field that confirms a learner's questions without a mark as nought; its value names the questions. */
export const noughtField = (learnerId: number) => `nought-${learnerId}`;

/** What a form confirms as nought: the value of its field, by the learner's id. */
export const readNoughts = (typed: Typed): Map<number, string> =>
  new Map(
    Object.entries(typed).flatMap(([field, questions]) => {
      const learnerId = idIn(/^nought-(.*)$/.exec(field)?.[1]);
      return learnerId === undefined ? [] : [[learnerId, questions]];
    }),
  );

/** The field that accepts the differences between two markers; its value is their number. */
export const differencesField = "differences";

/** What is typed into the fields of the form that decides, and of those for a stamp and for a question to the lead. */
export type TypedFields = Omit<MarkDraft, keyof AnswerKey>;

/** What was typed into a form that was posted. */
export const typedIn = (typed: Typed): TypedFields => ({
  ...decisionTextsOf((name) => typed[name] ?? ""),
  marks: typed.marks ?? "",
  notAnswered: typed.notAnswered !== undefined,
  withoutReason: typed.withoutReason !== undefined,
  ticks: ticksIn(typed),
  stampText: typed.stampText ?? "",
  askText: typed.ask ?? "",
});

const readers: { [Name in keyof DecisionTexts]: (typed: string) => string | Wrong } = {
  comment: readComment,
};

function readTexts(typed: Typed): DecisionTexts | Wrong {
  const texts = decisionTextsOf(() => "");
  for (const name of decisionTexts) {
    const text = readers[name](typed[name] ?? "");
    if (typeof text !== "string") return { ...text, field: name };
    texts[name] = text;
  }
  return texts;
}

/** Reads the form about one mark, whose intent is "agree" or "save": its hidden fields and the fields of a decision. */
export function readDecision(
  typed: Typed,
  /** What the marks are out of, if known; the store checks this too. */
  totalMarks?: number,
): Omit<NewDecision, "learnerId"> | Wrong {
  const seen = readSeen(typed);
  if (!seen) return { error: "The form was incomplete. Please decide on this page again." };
  const texts = readTexts(typed);
  if ("error" in texts) return texts;
  const points = readPointsKey(typed)?.points ?? [];
  if (typed.intent === "agree") {
    const { marks } = seen;
    if (marks === null) return { error: "Nothing is proposed here: type the marks." };
    if (isMarkTyped(typed) && readGiven(typed) !== marks) return otherThan(marks);
    const ticked = isAnyTicked(points) ? points : [];
    return { seen, given: { ...texts, marks, points: ticked, reason: readReason(typed) } };
  }
  const marks = readGiven(typed, totalMarks);
  if (typeof marks === "object" && marks !== null) return marks;
  // Points without a tick say that none was earned, so they are kept only with a mark of 0 or “not answered”.
  const isSaid = isAnyTicked(points) || (marks ?? 0) === 0;
  // "taken" is left out, so that the same mark saved again counts as repeated, and keeps the reason that it had.
  const left = readReason(typed) === "left" && { reason: "left" as const };
  return { seen, given: { ...texts, marks, points: isSaid ? points : [], ...left } };
}

/** Whether the form has a mark: a number, ticks or "not answered". */
export const isMarkTyped = (typed: Typed): boolean =>
  (typed.marks ?? "").trim() !== "" || typed.notAnswered !== undefined || ticksIn(typed) !== "";

const otherThan = (marks: number): Wrong => ({
  error: `Your mark is not the ${marks} that is proposed. Save yours, or clear it and agree again.`,
});

const readReason = (typed: Typed) => (withoutReason in typed ? "left" : "taken");

/** The marks that were typed, or else the sum of the ticks. Null if the question was not answered. */
function readGiven(typed: Typed, totalMarks?: number): number | null | Wrong {
  const { marks = "", notAnswered } = typed;
  const shown = readPointsKey(typed);
  const isTicked = shown !== undefined && isAnyTicked(shown.points);
  if (notAnswered !== undefined) {
    if (isTicked) return { error: "Either tick points or choose “not answered”, not both." };
    if (isEmptyOrNought(marks)) return null;
    return { error: "Either type marks or choose “not answered”, not both." };
  }
  if (!shown || marks.trim() !== "") return readMarks(marks, totalMarks);
  return isTicked
    ? sumOfTicks(shown.points, shown.totalMarks)
    : { error: "Tick points or type the marks, such as 0, or choose “not answered”." };
}

const isEmptyOrNought = (marks: string) => /^[\s0.,]*$/.test(marks);

function readSeen({
  question,
  seen = "",
  was = "",
  proposal = "0",
  second,
  points,
}: Typed): SeenMark | undefined {
  const decisionId = idIn(seen);
  const importId = idIn(proposal);
  const secondId = idIn(second);
  const isMark = /^(\d{1,4}(\.\d{1,2})?)?$/.test(was);
  if (question === undefined || decisionId === undefined || importId === undefined || !isMark) {
    return undefined;
  }
  return {
    questionNumber: question,
    decisionId,
    marks: was === "" ? null : Number(was),
    importId,
    ...(secondId !== undefined && { secondId }),
    ...(points !== undefined && { points }),
  };
}

/** Reads the marks that "agree with the rest" showed, and whether it takes the reasons; undefined if malformed. */
export function readRest(typed: Typed): { seen: SeenMark[]; reason: "taken" | "left" } | undefined {
  const rows = jsonIn(typed.rest ?? "");
  if (!Array.isArray(rows) || rows.length > 100 || !rows.every(isRestRow)) return undefined;
  return {
    seen: rows.map(([questionNumber, marks, importId]) => ({
      questionNumber,
      decisionId: 0,
      marks,
      importId,
    })),
    reason: withoutReasons in typed ? "left" : "taken",
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRestRow = (row: unknown): row is [question: string, marks: number, importId: number] =>
  Array.isArray(row) &&
  typeof row[0] === "string" &&
  typeof row[1] === "number" &&
  typeof row[2] === "number";
