/** An import over marks that there are: it replaces the proposals of undecided questions only. */
import type { MarkedSubmission, QuestionMark, Results } from "../domain/result.ts";
import { withMarks } from "./apply-decision.ts";
import { isDecided } from "./class-report.ts";
import { averageOf, gradesIn } from "./grade.ts";

interface ImportedOver {
  /** The imported results with the decided marks of those before. */
  after: Results;
  /** For each of their submissions its position in the results before; undefined if it is new. */
  positions: (number | undefined)[];
  /** The number of decided marks before. */
  decided: number;
  /** A sentence for each decided question or its learner that the import would change. */
  conflicts: string[];
}

/**
 * @param before the stored submissions, whose learners are known by the names of their files
 * @param discardsDecisions replaces decided marks too
 */
export function importedOver(
  before: readonly MarkedSubmission[],
  imported: Results,
  discardsDecisions: boolean,
): ImportedOver {
  const positions = positionsOf(before, imported.submissions);
  const submissions = imported.submissions.map((one, index) => {
    const old = before[positions[index] ?? -1];
    return old ? importedOne(old, one, discardsDecisions) : one;
  });
  const averageGrade = averageOf(gradesIn(submissions));
  return {
    after: { ...imported, submissions, averageGrade },
    positions,
    decided: before.flatMap(({ questionMarks }) => questionMarks.filter(isDecided)).length,
    conflicts: before.flatMap((old, position) =>
      conflictsOf(old, imported.submissions[positions.indexOf(position)]),
    ),
  };
}

/** The same file name may occur more than once: then the first is the first, and so on. */
function positionsOf(before: readonly MarkedSubmission[], imported: readonly MarkedSubmission[]) {
  const left = new Set(before.keys());
  return imported.map(({ fileName }) => {
    const found = [...left].find((index) => isSame(before[index]!.fileName, fileName));
    if (found !== undefined) left.delete(found);
    return found;
  });
}

/** Some systems write an accented letter as one character, others as two. */
const isSame = (one: string, other: string) => one.normalize("NFC") === other.normalize("NFC");

/** A learner's imported marks, with what an import says nothing about: decisions, choices and the learner. */
function importedOne(
  { questionMarks: old, learnerNumber, isNumberListed, noGrade }: MarkedSubmission,
  imported: MarkedSubmission,
  discardsDecisions: boolean,
): MarkedSubmission {
  const known = {
    ...(learnerNumber !== undefined && { learnerNumber }),
    ...(isNumberListed && { isNumberListed }),
    ...(noGrade && { noGrade }),
  };
  return withMarks(
    { ...imported, ...known },
    imported.questionMarks.map((mark) => {
      const before = sameQuestion(mark, old);
      if (before && isDecided(before) && !discardsDecisions) return before;
      return {
        ...mark,
        ...(before?.choice && { choice: before.choice }),
        ...(before?.second && !discardsDecisions && { second: before.second }),
      };
    }),
  );
}

const sameQuestion = ({ questionNumber }: QuestionMark, marks: readonly QuestionMark[]) =>
  marks.find((mark) => mark.questionNumber === questionNumber);

function conflictsOf(old: MarkedSubmission, imported: MarkedSubmission | undefined): string[] {
  const decided = old.questionMarks.filter(isDecided);
  if (decided.length === 0) return [];
  const learner = `${old.studentName} (${old.fileName})`;
  if (!imported) return [`${learner}: the file is missing from the import.`];
  const renamed =
    imported.studentName === old.studentName
      ? []
      : [`${learner}: the import calls the learner ${imported.studentName}.`];
  return [...renamed, ...decided.flatMap((mark) => questionConflict(learner, mark, imported))];
}

function questionConflict(
  learner: string,
  mark: QuestionMark,
  { questionMarks }: MarkedSubmission,
): string[] {
  const place = `${learner}, question ${mark.questionNumber}`;
  const imported = sameQuestion(mark, questionMarks);
  if (!imported) return [`${place}: the import has no such question.`];
  if (imported.totalMarks !== mark.totalMarks) {
    return [
      `${place}: out of ${mark.totalMarks}, and out of ${imported.totalMarks} in the import.`,
    ];
  }
  return imported.description === mark.description
    ? []
    : [`${place}: “${mark.description}” is “${imported.description}” in the import.`];
}
