import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { type DecisionRejection, nothingElse } from "../../domain/decision.ts";
import type { MarkedSubmission, QuestionMark, Results } from "../../domain/result.ts";
import { proposalOf, seenOf } from "../../results/apply-decision.ts";
import { normalise } from "../../results/import-over.ts";
import { readComment, readMarks } from "../../results/typed-decision.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, printable, printJson } from "./print.ts";
import { importedResultsOf } from "./results-io.ts";

type Options = Json & { comment?: string };

interface Typed {
  reference: string;
  learner: string;
  question: string;
  mark: string;
}

/** The word that is typed in place of a mark. */
const notAnswered = "not-answered";

export function addMark(results: Command, { onStore }: Installation): void {
  results
    .command("mark")
    .argument("<reference>")
    .argument("<learner>", "number, name or file name")
    .argument("<question>", "number of the question")
    .argument("<mark>", `the marks to award, or ${notAnswered}`)
    .description("decide one mark as the team; the proposed one stays beside it")
    .option("--comment <text>", "a comment for the learner, beside the mark")
    .option("--json", "print JSON")
    .action(
      (reference: string, learner: string, question: string, mark: string, options: Options) =>
        onStore(({ store }) => decide(store, { reference, learner, question, mark }, options))(),
    );
}

async function decide(store: Store, typed: Typed, options: Options): Promise<void> {
  const { reference, results, assessmentId } = await importedResultsOf(store, typed.reference);
  const submission = submissionOf(results, typed.learner);
  const currentMark = questionOf(submission, typed.question);
  const decision = {
    learnerId: submission.learnerId!,
    seen: seenOf(currentMark),
    given: { ...nothingElse, marks: marksOf(typed.mark, currentMark), comment: commentOf(options) },
  };
  const now = new Date();
  const decided = await store.decideMark(assessmentId, decision, now);
  if (decided.outcome !== "stored") throw decisionFailure(decided);
  await store.openAudit("mark decided", now, reference);
  const { mark, grade } = decided;
  const { fileName, studentName } = submission;
  if (options.json) printJson({ reference, fileName, studentName, ...mark, grade });
  process.stderr.write(`${printable(studentName)}, ${decisionSentences(mark, grade)}\n`);
}

function decisionSentences(mark: QuestionMark, grade: number | null): string {
  const awarded = mark.notAnswered ? "not answered, 0" : mark.marksAwarded;
  const proposal = proposalOf(mark);
  const proposed = proposal === null ? "" : `, proposed were ${proposal}`;
  const newGrade = grade === null ? "There is no grade yet" : `The grade is ${grade}%`;
  return `question ${mark.questionNumber}: ${awarded} of ${mark.totalMarks}${proposed}. ${newGrade}.`;
}

/** Returns the error that ends the command when nothing was stored. */
function decisionFailure(rejection: DecisionRejection): CommandFailed {
  if (rejection.outcome === "signed") {
    const { by } = rejection.signature;
    return new CommandFailed(`${printable(by)} has signed the marks. Reopen them: results reopen.`);
  }
  const message = "The marks have changed in the meantime; nothing was changed. Try again.";
  return new CommandFailed(message, exitCodes.temporary);
}

/** Returns the typed marks; null for “not-answered”. @throws CommandFailed if the question has no such mark */
function marksOf(typed: string, { questionNumber, totalMarks }: QuestionMark): number | null {
  if (typed === notAnswered) return null;
  const marks = readMarks(typed, totalMarks);
  if (typeof marks === "number") return marks;
  throw new CommandFailed(`Question ${questionNumber}: ${marks.error}`, exitCodes.usage);
}

function commentOf({ comment = "" }: Options): string {
  const text = readComment(comment);
  if (typeof text === "string") return text;
  throw new CommandFailed(text.error, exitCodes.usage);
}

/** Returns the submission with a number, name or file name. @throws CommandFailed unless exactly one matches */
function submissionOf({ submissions }: Results, typed: string): MarkedSubmission {
  const name = normalise(typed);
  const byFile = submissions.filter(({ fileName }) => normalise(fileName) === name);
  const found =
    byFile.length > 0
      ? byFile
      : submissions.filter(({ studentName, learnerNumber }) =>
          [normalise(studentName), learnerNumber].includes(name),
        );
  const [first, ...others] = found;
  const shown = printable(typed);
  if (!first) throw new CommandFailed(`There is no learner ${shown}; results show lists them.`);
  if (others.length === 0) return first;
  const wanted = byFile.length > 0 ? "number" : "file name";
  throw new CommandFailed(
    `${found.length} learners are called ${shown}; give the ${wanted} instead.`,
  );
}

/** Returns the mark of a question. @throws CommandFailed if there is no such question */
function questionOf({ questionMarks }: MarkedSubmission, typed: string): QuestionMark {
  const found = questionMarks.find(({ questionNumber }) => questionNumber === normalise(typed));
  if (found) return found;
  const numbers = questionMarks.map(({ questionNumber }) => questionNumber).join(", ");
  throw new CommandFailed(
    `There is no question ${printable(typed)}; the questions are ${printable(numbers)}.`,
  );
}
