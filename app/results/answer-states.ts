/** How far the answers of a learner are: a character for each question, in the order of the paper. */
import type { AnswerKey, DeskAnswer, MarkingOrder, NextAnswer } from "../domain/desk.ts";
import type { QuestionMark } from "../domain/result.ts";
import { hasDifference, isDecided } from "./class-report.ts";

/**
 * "-": neither mark nor proposal, "p": a proposal waits for a decision, "d": decided; "s" and "t": the same as "-" and "p",
 * and a second marker has marked it; "b": both markers, "x": both, and they differ.
 */
const stateOf = (mark: QuestionMark): string => {
  const hasProposal = mark.marksAwarded !== null;
  if (!mark.second) return isDecided(mark) ? "d" : hasProposal ? "p" : "-";
  if (!isDecided(mark)) return hasProposal ? "t" : "s";
  return hasDifference(mark) ? "x" : "b";
};

/** What a state says of the mark that counts. */
export const stateIs = {
  unmarked: (state: string) => state === "-" || state === "s",
  pencil: (state: string) => state === "p" || state === "t",
  decided: (state: string) => state === "d" || state === "b" || state === "x",
  difference: (state: string) => state === "x",
} as const;

export const answerStatesOf = (marks: readonly QuestionMark[]): string =>
  marks.map(stateOf).join("");

/** The states in which an answer waits for a marker, or for a second one. */
const isOpenState = (state: string | undefined, { isSecond }: { isSecond: boolean }) =>
  state !== undefined && (isSecond ? "-pd" : "-pst").includes(state);

export const isSameAnswer = (one: AnswerKey, other: AnswerKey): boolean =>
  one.learnerId === other.learnerId && one.questionNumber === other.questionNumber;

/** How far the answers are that a link opens. */
export interface ClassStates {
  /** In the order of the desk. */
  learners: { id: number; hasGrade: boolean; states: string }[];
  /** The markers who said that a learner is absent, by the learner’s id. */
  reported: ReadonlyMap<number, string>;
  /** The questions that the link opens, with their places in the paper, from 0. */
  questions: { questionNumber: string; place: number }[];
  isSecond: boolean;
}

/** The answers that a link opens, one after another. */
export function answersIn(
  { learners, reported, questions, isSecond }: ClassStates,
  order: MarkingOrder,
) {
  const total = learners.length * questions.length;
  /** The learner and the question at a place. */
  const at = (place: number) =>
    order === "learner"
      ? ([Math.floor(place / questions.length), place % questions.length] as const)
      : ([place % learners.length, Math.floor(place / learners.length)] as const);
  const placeOf = ({ learnerId, questionNumber }: AnswerKey): number => {
    const learner = learners.findIndex(({ id }) => id === learnerId);
    const question = questions.findIndex((one) => one.questionNumber === questionNumber);
    if (learner === -1 || question === -1) return -1;
    return order === "learner"
      ? learner * questions.length + question
      : question * learners.length + learner;
  };
  const keyAt = (place: number): AnswerKey => {
    const [learner, question] = at(place);
    return {
      learnerId: learners[learner]!.id,
      questionNumber: questions[question]!.questionNumber,
    };
  };
  const isOpenAt = (place: number): boolean => {
    const [learner, question] = at(place);
    const { hasGrade, states } = learners[learner]!;
    return hasGrade && isOpenState(states[questions[question]!.place], { isSecond });
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
    has: (key: AnswerKey): boolean => placeOf(key) !== -1,
    /**
     * The next open answer after this one, from the beginning after the last, that no other link has open. If they all are,
     * the one that another page fetched ahead last, unless this request fetches ahead too.
     * @param elsewhere what others have, in the order in which they got it
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
        if (!isOpenAt(place) || reported.has(learners[at(place)[0]]!.id)) continue;
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
