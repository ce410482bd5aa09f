import { type Command, InvalidArgumentError } from "commander";
import type { Store } from "#db/store.ts";
import type { MarkedSubmission, QuestionMark, Results } from "../../domain/result.ts";
import { averageOf, gradeOf, sumOf } from "../../results/grade.ts";
import { commentError } from "../../results/results-file.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { printable, printJson } from "./print.ts";
import { importedResultsOf, markingTargetOf } from "./results-file.ts";

interface Options {
  comment?: string;
  json?: true;
}

export function addMark(results: Command, { withStore }: Installation): void {
  results
    .command("mark")
    .argument("<reference>")
    .argument("<learner>", "name or file name, as results show prints them")
    .argument("<question>", "number of the question")
    .argument("<mark>", "the marks to award", markOf)
    .description("decide one mark; the proposed one stays beside it, and the link stays open")
    .option("--comment <text>", "a comment for the learner, beside the mark")
    .option("--json", "print JSON")
    .action(
      (reference: string, learner: string, question: string, mark: number, options: Options) =>
        withStore((store) => decide(store, { reference, learner, question, mark }, options)),
    );
}

/** Marks are in quarters; a decimal comma is a point. */
function markOf(text: string): number {
  const mark = Number(text.replace(",", "."));
  if (/^\d{1,4}([.,]\d{1,2})?$/.test(text) && Number.isInteger(mark * 4)) return mark;
  throw new InvalidArgumentError("It must be a number in quarters, such as 6 or 6.25.");
}

interface Decision {
  reference: string;
  learner: string;
  question: string;
  mark: number;
}

async function decide(
  store: Store,
  typed: Decision,
  { comment: typedComment, json }: Options,
): Promise<void> {
  const comment = typedComment?.trim() || undefined;
  const error = comment && commentError(comment);
  if (error) throw new CommandFailed(`The comment ${error}.`, exitCodes.usage);
  const { reference, results } = await importedResultsOf(store, typed.reference);
  const { assessmentId } = await markingTargetOf(store, reference);
  const submission = submissionOf(results, typed.learner);
  const before = questionOf(submission, typed.question);
  if (typed.mark > before.totalMarks) {
    throw new CommandFailed(
      `${typed.mark} is more than the ${before.totalMarks} of question ${before.questionNumber}.`,
    );
  }
  const { comment: _, ...kept } = before;
  const proposedMarks = before.proposedMarks ?? before.marksAwarded;
  const mark = { ...kept, marksAwarded: typed.mark, proposedMarks, ...(comment && { comment }) };
  const changed = withMark(submission, before, mark);
  const decided = withSubmission(results, submission, changed);
  if (!(await store.storeDecidedMark(assessmentId, results, decided))) {
    const message = "The marks have changed in the meantime; nothing was changed. Try again.";
    throw new CommandFailed(message, exitCodes.temporary);
  }
  await store.openAudit("mark decided", new Date(), reference);
  const { grade } = changed;
  if (json) printJson({ reference, ...submissionNames(submission), ...mark, grade });
  process.stderr.write(
    `${printable(submission.studentName)}, question ${before.questionNumber}: ${typed.mark} of ${before.totalMarks}, proposed were ${proposedMarks}. The grade is ${grade}%.\n`,
  );
}

const submissionNames = ({ fileName, studentName }: MarkedSubmission) => ({
  fileName,
  studentName,
});

const normalise = (text: string) => text.trim().normalize("NFC");

/** @throws CommandFailed unless exactly one submission has this name or file name */
function submissionOf({ submissions }: Results, typed: string): MarkedSubmission {
  const name = normalise(typed);
  const byFile = submissions.filter(({ fileName }) => normalise(fileName) === name);
  const found =
    byFile.length > 0
      ? byFile
      : submissions.filter(({ studentName }) => normalise(studentName) === name);
  if (found.length === 1) return found[0]!;
  throw new CommandFailed(
    found.length === 0
      ? `There is no learner ${printable(typed)}; results show lists them.`
      : `${found.length} learners are called ${printable(typed)}; give the file name instead.`,
  );
}

/** @throws CommandFailed if there is no such question */
function questionOf({ questionMarks }: MarkedSubmission, typed: string): QuestionMark {
  const found = questionMarks.find(({ questionNumber }) => questionNumber === normalise(typed));
  if (found) return found;
  const numbers = questionMarks.map(({ questionNumber }) => questionNumber).join(", ");
  throw new CommandFailed(
    `There is no question ${printable(typed)}; the questions are ${printable(numbers)}.`,
  );
}

function withMark(
  submission: MarkedSubmission,
  before: QuestionMark,
  after: QuestionMark,
): MarkedSubmission {
  const questionMarks = submission.questionMarks.map((mark) => (mark === before ? after : mark));
  return { ...submission, questionMarks, grade: gradeOf(sumOf(questionMarks)) };
}

function withSubmission(
  results: Results,
  before: MarkedSubmission,
  after: MarkedSubmission,
): Results {
  const submissions = results.submissions.map((one) => (one === before ? after : one));
  const averageGrade = averageOf(submissions.map(({ grade }) => grade));
  return { ...results, averageGrade, submissions };
}
