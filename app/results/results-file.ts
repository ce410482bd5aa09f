/** The JSON file in which the team hands over what it has marked. */
import { en } from "zod/locales";
import * as z from "zod/mini";
import type { QuestionMark, Results } from "../domain/result.ts";
import { averageOf, gradeOf, maxMarks } from "./grade.ts";

const text = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max));

const question = z.strictObject({
  questionNumber: text(20).register(z.globalRegistry, { description: "As in 1.1; each once." }),
  description: text(500),
  totalMarks: z.int().check(z.minimum(1), z.maximum(maxMarks)),
});

const mark = z.strictObject({
  questionNumber: text(20),
  marksAwarded: z
    .number()
    .check(z.minimum(0), z.maximum(maxMarks), z.multipleOf(0.5))
    .register(z.globalRegistry, { description: "Half marks are allowed." }),
  feedback: z.optional(z.string().check(z.trim(), z.maxLength(5000))),
});

const submission = z.strictObject({
  fileName: text(500).register(z.globalRegistry, {
    description: "As requests show prints it. Every submission of the request once.",
  }),
  studentName: text(200),
  feedback: z.optional(z.string().check(z.trim(), z.maxLength(5000))),
  questionMarks: z
    .array(mark)
    .check(z.maxLength(100))
    .register(z.globalRegistry, { description: "Every question once." }),
});

const questions = z
  .array(question)
  .check(z.minLength(1), z.maxLength(100))
  .register(z.globalRegistry, { description: `Their marks sum to ${maxMarks}.` });

const resultsFile = z.strictObject({
  title: text(200),
  questions,
  submissions: z.array(submission).check(z.minLength(1)),
});

type Question = z.infer<typeof question>;
type Submission = z.infer<typeof submission>;

/** For the team's editors and programs. */
export const resultsSchema = () => z.toJSONSchema(resultsFile, { io: "input" });

/**
 * Judges a results file as a whole, so that every fault is told at once.
 * @param fileNames of the request's submissions; a name that was uploaded twice is here twice
 * @returns faults as sentences that begin with their place in the file, or the results
 */
export function validateResultsFile(
  json: unknown,
  fileNames: string[],
): { faults: string[]; results?: never } | { faults?: never; results: Results } {
  const read = resultsFile.safeParse(json, { error: en().localeError });
  const faults = [
    ...(read.error?.issues ?? []).map(({ path, message }) => `${placeOf(path)}: ${message}`),
    ...faultsInQuestions(partOf(json, "questions")),
    ...faultsInMarks(partOf(json, "questions"), partOf(json, "submissions")),
    ...faultsInFiles(partOf(json, "submissions"), fileNames),
  ];
  if (!read.success || faults.length > 0) return { faults };
  const submissions = read.data.submissions.map((one) => marked(one, read.data.questions));
  return {
    results: {
      title: read.data.title,
      averageGrade: averageOf(submissions.map(({ grade }) => grade)),
      totalSubmissions: submissions.length,
      submissions,
    },
  };
}

function marked({ feedback = "", ...one }: Submission, all: Question[]) {
  const questionMarks: QuestionMark[] = all.map((asked) => {
    const { marksAwarded, feedback = "" } = one.questionMarks.find(
      ({ questionNumber }) => questionNumber === asked.questionNumber,
    )!;
    return { ...asked, marksAwarded, feedback };
  });
  const total = questionMarks.reduce((sum, { marksAwarded }) => sum + marksAwarded, 0);
  return { ...one, feedback, grade: gradeOf(total), questionMarks };
}

/** The part of a value that may be anything. */
function partOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null
    ? (json as Record<string, unknown>)[name]
    : undefined;
}

function faultsInQuestions(part: unknown): string[] {
  const { data } = questions.safeParse(part);
  if (!data) return [];
  const total = data.reduce((sum, { totalMarks }) => sum + totalMarks, 0);
  const numbers = data.map(({ questionNumber }) => questionNumber);
  return [
    ...repeated(numbers).map((place) => `questions[${place}]: "${numbers[place]}" is here twice`),
    ...(total === maxMarks
      ? []
      : [`questions: the marks must sum to ${maxMarks}, and sum to ${total}`]),
  ];
}

/** Looks at each submission that is well-formed, whatever the others are. */
function faultsInMarks(questionsPart: unknown, part: unknown): string[] {
  const asked = questions.safeParse(questionsPart).data;
  if (!asked || !Array.isArray(part)) return [];
  return part.flatMap((value, place) => {
    const { data } = submission.safeParse(value);
    return data ? faultsInSubmission(data, asked, `submissions[${place}].questionMarks`) : [];
  });
}

function faultsInSubmission({ questionMarks }: Submission, asked: Question[], at: string) {
  const numbers = questionMarks.map(({ questionNumber }) => questionNumber);
  const missing = asked.filter(({ questionNumber }) => !numbers.includes(questionNumber));
  return [
    ...repeated(numbers).map((place) => `${at}[${place}]: "${numbers[place]}" is marked twice`),
    ...missing.map(({ questionNumber }) => `${at}: "${questionNumber}" is not marked`),
    ...questionMarks.flatMap(({ questionNumber, marksAwarded }, place) => {
      const question = asked.find((one) => one.questionNumber === questionNumber);
      if (!question) return [`${at}[${place}]: there is no question "${questionNumber}"`];
      const { totalMarks } = question;
      return marksAwarded > totalMarks
        ? [`${at}[${place}].marksAwarded: ${marksAwarded} is more than the ${totalMarks} there are`]
        : [];
    }),
  ];
}

/** Every uploaded file must be there as often as it was uploaded, and nothing else. */
function faultsInFiles(part: unknown, fileNames: string[]): string[] {
  if (!Array.isArray(part)) return [];
  const left = fileNames.map(plain);
  const faults = part.flatMap((value, place) => {
    const name = partOf(value, "fileName");
    if (typeof name !== "string") return [];
    const found = left.indexOf(plain(name));
    if (found !== -1) {
      left.splice(found, 1);
      return [];
    }
    const why = fileNames.map(plain).includes(plain(name))
      ? "is here more often than it was uploaded"
      : "is not among the request’s submissions";
    return [`submissions[${place}].fileName: "${name}" ${why}`];
  });
  return [...faults, ...left.map((name) => `submissions: "${name}" is missing`)];
}

/** The same letters may be written as one character or as two, and systems differ in which. */
const plain = (name: string) => name.trim().normalize("NFC");

/** The places of what stands further ahead already. */
function repeated(all: string[]): number[] {
  return all.flatMap((one, place) => (all.indexOf(one) < place ? [place] : []));
}

/** As in submissions[3].questionMarks[0]. */
function placeOf(path: PropertyKey[]): string {
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return place.join("").replace(/^\./, "") || "the file";
}
