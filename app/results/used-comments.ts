import type { DeskLearner } from "../domain/desk.ts";

/** So many fit beside an answer. */
const maxComments = 10;

/** The comments on a question that count now, most used first. */
export function usedComments(learners: readonly DeskLearner[], questionNumber: string): string[] {
  const counts = new Map<string, number>();
  for (const { marks } of learners) {
    const comment = marks.find((mark) => mark.questionNumber === questionNumber)?.comment;
    if (comment) counts.set(comment, (counts.get(comment) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxComments)
    .map(([comment]) => comment);
}
