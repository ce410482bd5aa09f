/** How far the answers of a learner are: a character for each question, in the order of the paper. */
import type { AnswerKey, DeskAnswer, MarkingOrder, NextAnswer } from "../domain/desk.ts";
import type { QuestionMark } from "../domain/result.ts";
import { hasDifference, isDecided } from "./class-report.ts";

/**
 * "-": neither mark nor proposal; "p": a proposal waits for a decision; "d": decided. If a second marker has marked the
 * answer too, "s" replaces "-", "t" replaces "p", and "b" replaces "d"; but "x" replaces "d" if the marks differ by
 * more than the tolerance and that is not resolved.
 */
const stateOf = (mark: QuestionMark): string => {
  const isSecond = mark.second !== undefined;
  if (hasDifference(mark)) return "x";
  if (isDecided(mark)) return isSecond ? "b" : "d";
  if (mark.marksAwarded === null) return isSecond ? "s" : "-";
  return isSecond ? "t" : "p";
};

/** What a state says of the first marker's mark, which is the one that counts. */
export const stateIs = {
  unmarked: (state: string) => state === "-" || state === "s",
  pencil: (state: string) => state === "p" || state === "t",
  decided: (state: string) => state === "d" || state === "b" || state === "x",
  difference: (state: string) => state === "x",
} as const;

export const answerStatesOf = (marks: readonly QuestionMark[]): string =>
  marks.map(stateOf).join("");

/** Whether an answer in this state waits for a marker; if `isSecond`, for a second marker. */
const isOpenState = (state: string | undefined, { isSecond }: { isSecond: boolean }) =>
  state !== undefined && (isSecond ? /[-pd]/.test(state) : !stateIs.decided(state));

export const isSameAnswer = (one: AnswerKey, other: AnswerKey): boolean =>
  one.learnerId === other.learnerId && one.questionNumber === other.questionNumber;

/** The states of the answers that a link opens. */
export interface ClassStates {
  /** The learners in the order of the desk. */
  learners: { id: number; hasGrade: boolean; states: string }[];
  /** The markers who said that a learner is absent, by the learner’s id. */
  reported: ReadonlyMap<number, string>;
  /** The questions that the link opens, with their places in the paper, from 0. */
  questions: { questionNumber: string; place: number }[];
  isSecond: boolean;
}

/** Where each answer is in the order in which answers are marked, from 0. */
function placesIn({ learners, questions }: ClassStates, order: MarkingOrder) {
  /** The learner and the question at a place below `total`. */
  const at = (place: number) => {
    const [learner, question] =
      order === "learner"
        ? ([Math.floor(place / questions.length), place % questions.length] as const)
        : ([place % learners.length, Math.floor(place / learners.length)] as const);
    return { learner: learners[learner]!, question: questions[question]! };
  };
  return {
    total: learners.length * questions.length,
    at,
    keyAt(place: number): AnswerKey {
      const { learner, question } = at(place);
      return { learnerId: learner.id, questionNumber: question.questionNumber };
    },
    /** The place of an answer; -1 if the link does not open it. */
    placeOf({ learnerId, questionNumber }: AnswerKey): number {
      const learner = learners.findIndex(({ id }) => id === learnerId);
      const question = questions.findIndex((one) => one.questionNumber === questionNumber);
      if (learner === -1 || question === -1) return -1;
      return order === "learner"
        ? learner * questions.length + question
        : question * learners.length + learner;
    },
  };
}

/** The answers that a link opens, in the order in which they are marked. */
export function answersIn(states: ClassStates, order: MarkingOrder) {
  const { learners, reported, questions, isSecond } = states;
  const { total, at, keyAt, placeOf } = placesIn(states, order);
  const isOpenAt = (place: number): boolean => {
    const { learner, question } = at(place);
    return learner.hasGrade && isOpenState(learner.states[question.place], { isSecond });
  };
  const openPlaces = () => Array.from({ length: total }, (_, place) => place).filter(isOpenAt);
  return {
    progress() {
      const all = learners.filter(({ hasGrade }) => hasGrade).length * questions.length;
      return { decided: all - openPlaces().length, total: all };
    },
    /** The answers that wait for a marker. */
    open: (): AnswerKey[] => openPlaces().map(keyAt),
    beside(key: AnswerKey): Pick<DeskAnswer, "before" | "after"> {
      const place = placeOf(key);
      return {
        before: place > 0 ? keyAt(place - 1) : null,
        after: place + 1 < total ? keyAt(place + 1) : null,
      };
    },
    /** Whether the link opens an answer, and the answer waits for a marker. */
    isOpen(key: AnswerKey): boolean {
      const place = placeOf(key);
      return place !== -1 && isOpenAt(place);
    },
    /**
     * Returns the next open answer after `after`, then from the beginning. Skips learners reported absent, and answers
     * that others have open. If others have every one open, returns the last answer that a page fetched ahead and
     * that no page shows, because its person may never come to it; a request that fetches ahead gets "none" instead.
     * @param elsewhere the answers that others have open, oldest first
     */
    next(
      after: AnswerKey | undefined,
      elsewhere: readonly (AnswerKey & { isAhead: boolean })[],
      { isAhead }: { isAhead: boolean },
    ): NextAnswer {
      const start = after ? placeOf(after) + 1 : 0;
      const held: AnswerKey[] = [];
      for (let step = 0; step < total; step += 1) {
        const place = (start + step) % total;
        if (!isOpenAt(place) || reported.has(at(place).learner.id)) continue;
        const key = keyAt(place);
        if (!elsewhere.some((other) => isSameAnswer(key, other)))
          return { outcome: "answer", ...key };
        held.push(key);
      }
      const isShown = (key: AnswerKey) =>
        elsewhere.some((other) => isSameAnswer(other, key) && !other.isAhead);
      const last = elsewhere.findLast(
        (one) => held.some((key) => isSameAnswer(key, one)) && !isShown(one),
      );
      if (!last || isAhead) return { outcome: "none", openElsewhere: held.length };
      const { learnerId, questionNumber } = last;
      return { outcome: "answer", learnerId, questionNumber };
    },
  };
}
