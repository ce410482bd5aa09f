/** The results file: JSON that the team writes and `results import` reads. */
import { en } from "zod/locales";
import * as z from "zod/mini";
import { controls, unreadable, withoutInvisible } from "../domain/characters.ts";
import type { QuestionMark, Results } from "../domain/result.ts";
import { averageOf, gradeOf, gradesIn, sumOf } from "./grade.ts";

/** What the questions may sum to. */
export const maxTotal = 1000;

/** The characters of a feedback. */
const maxFeedback = 5000;

/** Marks are awarded in quarters, which are exact in binary. */
const quarter = z.multipleOf(0.25);

const isReadable = z.refine<string>(
  (value) => !unreadable.test(value),
  "contains a character that cannot be read",
);
const isOneLine = z.refine<string>(
  (value) => value.search(controls) === -1,
  "must be one line, without control characters",
);

const text = (max: number) =>
  z
    .string()
    .check(
      z.overwrite(withoutInvisible),
      z.trim(),
      isReadable,
      isOneLine,
      z.minLength(1),
      z.maxLength(max),
    );

/** Control characters other than tabs and line breaks. */
const isParagraphs = z.refine<string>(
  (value) => value.replace(/[\t\r\n]/g, "").search(controls) === -1,
  "must have no control characters but tabs and line breaks",
);

const feedback = z.optional(
  z
    .string()
    .check(
      z.overwrite(withoutInvisible),
      z.trim(),
      isReadable,
      isParagraphs,
      z.maxLength(maxFeedback),
    ),
);

const question = z.strictObject({
  questionNumber: text(20).register(z.globalRegistry, {
    description: "For example 1.1. Must be unique.",
  }),
  description: text(500),
  totalMarks: z.number().check(z.minimum(0.25), z.maximum(maxTotal), quarter),
});

/** A question with its memo, as the marking desk has it. */
export const paperQuestion = z.extend(question, { memo: feedback });

const mark = z.strictObject({
  questionNumber: text(20),
  marksAwarded: z
    .nullable(z.number().check(z.minimum(0), z.maximum(maxTotal), quarter))
    .register(z.globalRegistry, {
      description: "In whole, half or quarter marks; null if no mark is proposed.",
    }),
  feedback,
  unsure: z.optional(z.boolean()).register(z.globalRegistry, {
    description: "Whether the model is unsure of this mark: a person should look at it first.",
  }),
});

const submission = z.strictObject({
  fileName: z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(500))
    .register(z.globalRegistry, {
      description: "As printed by requests show. List every submission of the request once.",
    }),
  studentName: text(200),
  feedback,
  questionMarks: z
    .array(mark)
    .check(z.maxLength(100))
    .register(z.globalRegistry, { description: "List every question once." }),
});

const questions = z
  .array(question)
  .check(z.minLength(1), z.maxLength(100))
  .register(z.globalRegistry, {
    description: `Their marks may sum to any total from 1 to ${maxTotal}.`,
  });

const resultsFile = z.strictObject({
  title: text(200),
  questions,
  submissions: z.array(submission).check(z.minLength(1)),
});

type Question = z.infer<typeof question>;
type Submission = z.infer<typeof submission>;

/** The JSON Schema of a results file, for editors and other programs. */
export const resultsSchema = () => z.toJSONSchema(resultsFile, { io: "input" });

/**
 * Validates a whole results file and returns either all errors or the results.
 * @param fileNames of the request's submissions; a name that was uploaded twice is in it twice
 * @returns each error starts with its path in the file, for example `submissions[3].fileName: …`
 */
export function validateResultsFile(
  json: unknown,
  fileNames: string[],
): { errors: string[]; results?: never } | { errors?: never; results: Results } {
  const parsed = resultsFile.safeParse(json, { error: messageOf });
  const errors = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${formatPath(path)}: ${message}`),
    ...questionErrors(propertyOf(json, "questions")),
    ...markErrors(propertyOf(json, "questions"), propertyOf(json, "submissions")),
    ...fileErrors(propertyOf(json, "submissions"), fileNames),
  ];
  if (!parsed.success || errors.length > 0) return { errors };
  const { data } = parsed;
  const submissions = data.submissions.map((one) => toMarkedSubmission(one, data.questions));
  return {
    results: {
      title: data.title,
      averageGrade: averageOf(gradesIn(submissions)),
      totalSubmissions: submissions.length,
      submissions,
    },
  };
}

/** The frequent errors in the words of a marker, the others in those of the library. */
export const messageOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type" && issue.expected === "number") return "must be a number";
  if (issue.code === "invalid_type" && issue.expected === "string") return "must be text";
  if (issue.code === "not_multiple_of") return "must be in whole, half or quarter marks";
  if (issue.code === "too_small" && issue.origin === "string") return "must not be empty";
  return en().localeError(issue);
};

function toMarkedSubmission({ feedback = "", ...rest }: Submission, allQuestions: Question[]) {
  const questionMarks: QuestionMark[] = allQuestions.map((question) => {
    const {
      marksAwarded,
      feedback = "",
      unsure,
    } = rest.questionMarks.find(
      ({ questionNumber }) => questionNumber === question.questionNumber,
    )!;
    return { ...question, marksAwarded, feedback, ...(unsure && { unsure }) };
  });
  return { ...rest, feedback, grade: gradeOf(sumOf(questionMarks)), questionMarks };
}

/** A property of a value of unknown type; undefined if it has none. */
function propertyOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null
    ? (json as Record<string, unknown>)[name]
    : undefined;
}

function questionErrors(value: unknown): string[] {
  const { data } = questions.safeParse(value);
  if (!data) return [];
  const total = data.reduce((sum, { totalMarks }) => sum + totalMarks, 0);
  const numbers = data.map(({ questionNumber }) => questionNumber);
  return [
    ...repeatedIndexes(numbers).map(
      (index) => `questions[${index}]: "${numbers[index]}" appears twice`,
    ),
    ...(total >= 1 && total <= maxTotal
      ? []
      : [`questions: the marks must sum to 1 to ${maxTotal}, but sum to ${total}`]),
  ];
}

/** Checks the marks of well-formed submissions, even if others are malformed. */
function markErrors(questionsValue: unknown, submissionsValue: unknown): string[] {
  const allQuestions = questions.safeParse(questionsValue).data;
  if (!allQuestions || !Array.isArray(submissionsValue)) return [];
  return submissionsValue.flatMap((value, index) => {
    const { data } = submission.safeParse(value);
    const path = `submissions[${index}].questionMarks`;
    return data ? submissionErrors(data, allQuestions, path) : [];
  });
}

function submissionErrors(
  { questionMarks }: Submission,
  allQuestions: Question[],
  path: string,
): string[] {
  const numbers = questionMarks.map(({ questionNumber }) => questionNumber);
  const missing = allQuestions.filter(({ questionNumber }) => !numbers.includes(questionNumber));
  return [
    ...repeatedIndexes(numbers).map(
      (index) => `${path}[${index}]: "${numbers[index]}" is marked twice`,
    ),
    ...missing.map(({ questionNumber }) => `${path}: "${questionNumber}" is not marked`),
    ...questionMarks.flatMap(({ questionNumber, marksAwarded }, index) => {
      const question = allQuestions.find((one) => one.questionNumber === questionNumber);
      if (!question) return [`${path}[${index}]: there is no question "${questionNumber}"`];
      const { totalMarks } = question;
      return marksAwarded !== null && marksAwarded > totalMarks
        ? [
            `${path}[${index}].marksAwarded: ${marksAwarded} is more than the question’s ${totalMarks}`,
          ]
        : [];
    }),
  ];
}

/** Each uploaded file must be listed exactly as often as it was uploaded. */
function fileErrors(submissionsValue: unknown, fileNames: string[]): string[] {
  if (!Array.isArray(submissionsValue)) return [];
  const left = fileNames.map(normalise);
  const errors = submissionsValue.flatMap((value, index) => {
    const name = propertyOf(value, "fileName");
    if (typeof name !== "string") return [];
    const found = left.indexOf(normalise(name));
    if (found !== -1) {
      left.splice(found, 1);
      return [];
    }
    const reason = fileNames.map(normalise).includes(normalise(name))
      ? "appears more often than it was uploaded"
      : "is not among the request’s submissions";
    return [`submissions[${index}].fileName: "${name}" ${reason}`];
  });
  return [...errors, ...left.map((name) => `submissions: "${name}" is missing`)];
}

/** Normalised to NFC: some systems write an accented letter as one character, others as two. */
const normalise = (name: string) => name.trim().normalize("NFC");

/** Indexes of values that occur earlier in the list. */
function repeatedIndexes(all: string[]): number[] {
  return all.flatMap((one, index) => (all.indexOf(one) < index ? [index] : []));
}

/** For example `submissions[3].questionMarks[0]`. */
function formatPath(path: PropertyKey[]): string {
  const steps = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return steps.join("").replace(/^\./, "") || "the file";
}
