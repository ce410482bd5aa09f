/** How far the marking of a class is. */
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { gradedMarks, hasDifference, isDecided, needsLook } from "./class-report.ts";
import { type Decider, type WhoDecided, whoDecided } from "./who-decided.ts";

/** Not marked; proposed; proposed and to be looked at first; decided; or decided while a second marker differs. */
type AnswerState = "empty" | "pencil" | "look first" | "red" | "differs";

export function answerState(mark: QuestionMark): AnswerState {
  if (hasDifference(mark)) return "differs";
  if (isDecided(mark)) return "red";
  if (needsLook(mark)) return "look first";
  return mark.marksAwarded === null ? "empty" : "pencil";
}

type Counts = Pick<WhoDecided, "total" | "decided" | "proposed">;

export interface DeskProgress extends Counts {
  questions: (Counts & { questionNumber: string })[];
  /** The people whose decisions count now, by the number of these decisions, the highest first. */
  people: Decider[];
  /** Number of answers on which two markers still differ. */
  differences: number;
  learners: number;
  absent: number;
  unreadable: number;
}

/** Learners without a grade count only in the numbers of learners. */
export function deskProgress(
  submissions: readonly Pick<MarkedSubmission, "noGrade" | "questionMarks">[],
): DeskProgress {
  const marks = gradedMarks(submissions);
  const { deciders: people, unmarked, ...counts } = whoDecided(submissions);
  const count = (reason: string) => submissions.filter(({ noGrade }) => noGrade === reason).length;
  return {
    ...counts,
    questions: [...Map.groupBy(marks, ({ questionNumber }) => questionNumber)].map(
      ([questionNumber, questionMarks]) => {
        const { total, decided, proposed } = whoDecided([{ questionMarks }]);
        return { questionNumber, total, decided, proposed };
      },
    ),
    people,
    differences: marks.filter(hasDifference).length,
    learners: submissions.length,
    absent: count("absent"),
    unreadable: count("unreadable"),
  };
}
