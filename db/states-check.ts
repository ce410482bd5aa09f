/** Compares what finds open answers with the marks that it follows from. */
import type { QuestionMark } from "../app/domain/result.ts";
import { answerStatesOf } from "../app/results/answer-states.ts";

/** A query for the marks of every learner, and for what says which of them are open, on both engines. */
export const answerStatesQuery =
  "SELECT question_marks AS marks, answer_states AS states FROM submissions";

export interface AnswerStates {
  marks: string | QuestionMark[] | null;
  states: string;
}

/** For how many learners it is not what follows from the marks. */
export const countWrongStates = (rows: Iterable<AnswerStates>): number =>
  [...rows].filter(({ marks, states }) => {
    const all: QuestionMark[] | null = typeof marks === "string" ? JSON.parse(marks) : marks;
    return answerStatesOf(all ?? []) !== states;
  }).length;
