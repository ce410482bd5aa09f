/** Decisions on results that are not stored: those of the sample. */
import type { DecisionKind, Given } from "../domain/decision.ts";
import type { Results } from "../domain/result.ts";
import { decidedMark, kindOf, withMarks } from "./apply-decision.ts";
import { progressOf } from "./decision-progress.ts";
import { averageOf, gradesIn } from "./grade.ts";

/** The results after a decision on one mark. @param decision.how by default what follows from the proposal */
export function withDecision(
  results: Results,
  decision: {
    /** Position in the class, from 0. */
    learner: number;
    questionNumber: string;
    given: Given;
    by: string;
    at: string;
    how?: DecisionKind;
  },
): Results {
  const { learner, questionNumber, given, by, at } = decision;
  const id = progressOf(results.submissions).lastDecisionId + 1;
  const submissions = results.submissions.map((submission, index) => {
    if (index !== learner) return submission;
    const questionMarks = submission.questionMarks.map((mark) =>
      mark.questionNumber === questionNumber
        ? decidedMark(mark, given, { id, how: decision.how ?? kindOf(mark, given.marks), by, at })
        : mark,
    );
    return withMarks(submission, questionMarks);
  });
  return { ...results, submissions, averageGrade: averageOf(gradesIn(submissions)) };
}
