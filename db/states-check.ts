/** Compares the answer states, by which open answers are found, with the marks they are derived from. */
import type { QuestionMark } from "../app/domain/result.ts";
import { answerStatesOf } from "../app/results/answer-states.ts";

/** Selects the marks and the answer states of every learner, on both engines. */
export const answerStatesQuery =
  "SELECT question_marks AS marks, answer_states AS states FROM submissions";

export interface AnswerStates {
  marks: string | QuestionMark[] | null;
  states: string;
}

/** Returns the number of learners whose stored states differ from those of their marks. */
export function countWrongStates(rows: Iterable<AnswerStates>): number {
  let count = 0;
  for (const { marks, states } of rows) {
    const all: QuestionMark[] | null = typeof marks === "string" ? JSON.parse(marks) : marks;
    if (answerStatesOf(all ?? []) !== states) count += 1;
  }
  return count;
}
