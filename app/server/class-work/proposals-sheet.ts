/** A results file to fill in, or to correct. */
import type { Store } from "#db/store.ts";
import { withoutExtension } from "../../domain/file-name.ts";
import type { ImportTarget } from "../../domain/publication.ts";
import type { Results } from "../../domain/result.ts";
import { isDecided } from "../../results/class-report.ts";
import { type DraftResults, sheetOf } from "../../results/results-sheet.ts";
import { csvHeader, csvLine } from "../results/csv.ts";

/** Returns a results file with the marks, or an empty one. @param count number of questions in an empty file */
export async function draftOf(
  store: Store,
  assessmentId: number,
  count: number,
): Promise<DraftResults> {
  const target = await store.findImportTarget(assessmentId);
  const results = await store.findImportedResults(assessmentId);
  return results ? draftOfMarks(results, target) : emptyDraft(target, count);
}

/** Returns a results file as a sheet, in CSV. */
export function sheetText(draft: DraftResults): string {
  const [first = [], ...lines] = sheetOf(draft);
  return csvHeader(first) + lines.map((line) => csvLine(line)).join("");
}

/** A learner who has no name yet is named after the file. */
function emptyDraft({ learners }: ImportTarget, count: number): DraftResults {
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
  return {
    title: "",
    questions: numbers.map((questionNumber) => ({
      questionNumber,
      description: "",
      totalMarks: null,
      memo: "",
    })),
    submissions: learners.map(({ fileName, studentName = withoutExtension(fileName) }) => ({
      fileName,
      studentName,
      feedback: "",
      questionMarks: numbers.map((questionNumber) => ({
        questionNumber,
        marksAwarded: null,
        feedback: "",
      })),
    })),
  };
}

const draftOfMarks = (
  { title, submissions }: Results,
  { questions }: ImportTarget,
): DraftResults => ({
  title,
  questions: questions.map(({ questionNumber, description, totalMarks, memo = "" }) => ({
    questionNumber,
    description,
    totalMarks,
    memo,
  })),
  submissions: submissions.map(
    ({ fileName, studentName, feedback, questionMarks, ...learner }) => ({
      fileName,
      ...(learner.isNumberListed && { learnerNumber: learner.learnerNumber! }),
      studentName,
      feedback,
      questionMarks: questionMarks.map((mark) => ({
        questionNumber: mark.questionNumber,
        marksAwarded: mark.marksAwarded,
        feedback: mark.feedback,
        ...(mark.unsure && !isDecided(mark) && { unsure: true as const }),
      })),
    }),
  ),
});
