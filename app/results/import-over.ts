/**
 * An import into a class that may have marks already. Unless an option says otherwise, it changes no decided mark,
 * and nothing that it does not contain: questions, proposals, names of learners and feedback to them.
 */
import type { PaperQuestion } from "../domain/desk.ts";
import { withoutExtension } from "../domain/file-name.ts";
import type {
  ImportCounts,
  ImportedMark,
  ImportedQuestion,
  ImportedResults,
  ImportedSubmission,
} from "../domain/publication.ts";
import type { MarkedSubmission, QuestionMark, Results } from "../domain/result.ts";
import { proposedMark, withMarks } from "./apply-decision.ts";
import { isDecided } from "./class-report.ts";
import { averageOf, gradesIn, sum } from "./grade.ts";
import { onQuestion, secondEffects } from "./paper.ts";

export interface ImportOptions {
  /** Removes what the import leaves empty, and questions that the import lacks. */
  replaces?: boolean | undefined;
  /** Replaces decided marks too. */
  discardsDecisions?: boolean | undefined;
  /** The version of the preview that a person has seen: if it has changed, nothing is stored. "" asks for a preview. */
  seenVersion?: string | undefined;
}

interface Before<Submission> {
  submissions: readonly Submission[];
  questions: readonly PaperQuestion[];
}

interface ImportedOver<Submission> {
  submissions: Submission[];
  questions: PaperQuestion[];
  counts: Omit<ImportCounts, "proposedBy">;
  /** A sentence for each reason not to store the import as it is, such as a decided question that it would change. */
  conflicts: string[];
}

/** Returns a class as it is after an import. @param importId the id that proposals get if the import changes them */
export function importedOver<Submission extends MarkedSubmission & { id?: number }>(
  before: Before<Submission>,
  imported: ImportedResults,
  { importId, ...options }: ImportOptions & { importId: number },
): ImportedOver<Submission> {
  const questions = questionsOver(before.questions, imported.questions, options);
  const { parts, unmatched } = partsOf(before.submissions, imported.submissions);
  const submissions = before.submissions.map((old) => {
    const part = parts.get(old);
    const marks = questions.map((question) =>
      markOver(
        { question, old: sameQuestionIn(old.questionMarks, question) },
        part && sameQuestionIn(part.questionMarks, question),
        { importId, ...options },
      ),
    );
    return withMarks({ ...old, ...(part && textsOver(old, part, options)) }, marks);
  });
  const counts = countsOf(before.submissions, submissions, importId);
  const conflicts = before.submissions.flatMap((old) =>
    conflictsOf(old, parts.get(old), questions),
  );
  const lost = secondEffects(questions, before.submissions);
  return { submissions, questions, counts, conflicts: [...unmatched, ...conflicts, ...lost] };
}

/** A class before its first import, without marks: the learners of the import in order, then those of other files. */
export function newSubmissions(
  fileNames: readonly string[],
  imported: ImportedResults,
): MarkedSubmission[] {
  const left = fileNames.map(normalise);
  for (const { fileName } of imported.submissions) {
    const found = left.indexOf(normalise(fileName));
    if (found !== -1) left.splice(found, 1);
  }
  const names = [...imported.submissions.map((one) => one.fileName), ...left];
  return names.map((fileName) => ({
    fileName,
    studentName: withoutExtension(fileName),
    grade: null,
    feedback: "",
    questionMarks: [],
  }));
}

/** The results of a class that has only an import. */
export function resultsOf(imported: ImportedResults, importId: number): Results {
  const submissions = newSubmissions([], imported);
  const after = importedOver({ submissions, questions: [] }, imported, { importId });
  return {
    title: imported.title,
    averageGrade: averageOf(gradesIn(after.submissions)),
    totalSubmissions: after.submissions.length,
    submissions: after.submissions,
  };
}

/** Trims a name and normalises it to NFC: some systems write an accented letter as one character, others as two. */
export const normalise = (name: string) => name.trim().normalize("NFC");

const sameQuestionIn = <Mark extends { questionNumber: string }>(
  marks: readonly Mark[],
  { questionNumber }: { questionNumber: string },
) => marks.find((mark) => mark.questionNumber === questionNumber);

/** The questions after an import, in the import's order if it has all questions. */
function questionsOver(
  before: readonly PaperQuestion[],
  imported: readonly ImportedQuestion[],
  { replaces }: ImportOptions,
): PaperQuestion[] {
  const over = ({ memoPoints: _, ...question }: ImportedQuestion): PaperQuestion => ({
    ...(sameQuestionIn(before, question) ?? { memo: "" }),
    ...question,
  });
  const isWhole = before.every((question) => sameQuestionIn(imported, question));
  if (isWhole || (replaces && imported.length > 0)) return imported.map(over);
  const added = imported.filter((question) => !sameQuestionIn(before, question));
  return [
    ...before.map((question) => over(sameQuestionIn(imported, question) ?? question)),
    ...added.map(over),
  ];
}

/**
 * Finds each learner's part of the import: by id or, if the part has no id, by file name. Parts with one file name go
 * to the learners with that file name in order. `unmatched` has an error for each part without a learner.
 */
function partsOf<Submission extends MarkedSubmission & { id?: number }>(
  before: readonly Submission[],
  imported: readonly ImportedSubmission[],
) {
  const byId = new Map(before.map((one) => [one.id, one]));
  const byFile = Map.groupBy(before, ({ fileName }) => normalise(fileName));
  const parts = new Map<Submission, ImportedSubmission>();
  const unmatched: string[] = [];
  for (const part of imported) {
    const old =
      part.learnerId === undefined
        ? byFile.get(normalise(part.fileName))?.find((one) => !parts.has(one))
        : byId.get(part.learnerId);
    if (old) parts.set(old, part);
    else unmatched.push(`${part.fileName}: the class has no such learner any more.`);
  }
  return { parts, unmatched };
}

/** The texts of a learner after an import. It renames only a learner whom no class list has named. */
function textsOver(
  old: MarkedSubmission,
  { studentName, feedback }: ImportedSubmission,
  { replaces }: ImportOptions,
) {
  return {
    studentName: old.isNumberListed ? old.studentName : studentName || old.studentName,
    feedback: feedback || (replaces ? "" : old.feedback),
  };
}

/**
 * The mark of a question after an import. The import replaces a decision only if it discards decisions, and has a mark
 * for the question or a total below the decided mark. An unchanged proposal keeps the id of the import it came from.
 */
function markOver(
  { question, old }: { question: PaperQuestion; old?: QuestionMark },
  imported: ImportedMark | undefined,
  { importId, replaces, discardsDecisions }: ImportOptions & { importId: number },
): QuestionMark {
  const base = onQuestion(question, old);
  const mayBeDiscarded =
    imported?.marksAwarded != null || (base.marksAwarded ?? 0) > question.totalMarks;
  if (isDecided(base) && !(discardsDecisions && mayBeDiscarded)) return base;
  const proposed = isDecided(base) ? proposedMark(base) : base;
  const { unsure, ...after } = proposalOver(proposed, imported, replaces);
  const isSame =
    after.marksAwarded === proposed.marksAwarded &&
    after.feedback === proposed.feedback &&
    unsure === proposed.unsure;
  if (isSame) return proposed;
  const { unsure: _, importId: __, ...rest } = proposed;
  const isEmpty = after.marksAwarded === null && after.feedback === "" && !unsure;
  return { ...rest, ...after, ...(unsure && { unsure }), ...(!isEmpty && { importId }) };
}

/** What is proposed after an import. A mark above the question's total is removed. */
function proposalOver(
  { marksAwarded, feedback, unsure, totalMarks }: QuestionMark,
  imported: ImportedMark | undefined,
  replaces = false,
) {
  const hasMark = imported?.marksAwarded != null;
  const isNewMark = hasMark && imported.marksAwarded !== marksAwarded;
  const takesAway = replaces && imported !== undefined;
  const marks = imported?.marksAwarded ?? (takesAway ? null : marksAwarded);
  return {
    marksAwarded: (marks ?? 0) > totalMarks ? null : marks,
    feedback: imported?.feedback || (isNewMark || takesAway ? "" : feedback),
    unsure: hasMark || takesAway ? imported.unsure : (imported?.unsure ?? unsure),
  };
}

function countsOf(
  before: readonly MarkedSubmission[],
  after: readonly MarkedSubmission[],
  importId: number,
): ImportedOver<MarkedSubmission>["counts"] {
  const proposals = after.map(
    ({ questionMarks }) => questionMarks.filter((mark) => mark.importId === importId).length,
  );
  return {
    proposals: sum(proposals),
    learners: proposals.filter((count) => count > 0).length,
    discardedDecisions: decidedIn(before) - decidedIn(after),
  };
}

export const decidedIn = (all: readonly MarkedSubmission[]): number =>
  sum(all.map(({ questionMarks }) => questionMarks.filter(isDecided).length));

function conflictsOf(
  old: MarkedSubmission,
  imported: ImportedSubmission | undefined,
  questions: readonly PaperQuestion[],
): string[] {
  const decided = old.questionMarks.filter(isDecided);
  const learner = `${old.studentName} (${old.fileName})`;
  const isRenamed =
    decided.length > 0 &&
    !old.isNumberListed &&
    imported?.studentName &&
    imported.studentName !== old.studentName;
  return [
    ...(isRenamed ? [`${learner}: the import calls the learner ${imported.studentName}.`] : []),
    ...old.questionMarks.flatMap((mark) => {
      const place = `${learner}, question ${mark.questionNumber}`;
      const question = sameQuestionIn(questions, mark);
      if (isDecided(mark)) return decidedConflicts(place, mark, question);
      const part = sameQuestionIn(imported?.questionMarks ?? [], mark);
      const isKept = question && part?.marksAwarded == null;
      return isKept && (mark.marksAwarded ?? 0) > question.totalMarks
        ? [
            `${place}: ${mark.marksAwarded} is proposed, more than the ${question.totalMarks} of the import.`,
          ]
        : [];
    }),
  ];
}

function decidedConflicts(
  place: string,
  mark: QuestionMark,
  question: PaperQuestion | undefined,
): string[] {
  if (!question) return [`${place}: the import has no such question.`];
  if (question.totalMarks !== mark.totalMarks) {
    return [
      `${place}: out of ${mark.totalMarks}, and out of ${question.totalMarks} in the import.`,
    ];
  }
  return question.description === mark.description
    ? []
    : [`${place}: “${mark.description}” is “${question.description}” in the import.`];
}
