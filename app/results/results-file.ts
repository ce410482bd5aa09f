/** The results file: JSON that the team writes and `results import` reads. */
import { en } from "zod/locales";
import * as z from "zod/mini";
import { controls, unreadable, withoutInvisible } from "../domain/characters.ts";
import type { PaperQuestion } from "../domain/desk.ts";
import type {
  ImportedQuestion,
  ImportedResults,
  ImportedSubmission,
  ImportTarget,
} from "../domain/publication.ts";
import { cleanedTexts, formatPath } from "./cleaned-texts.ts";
import { groupsOf, paperTotal } from "./grade.ts";
import { type ImportOptions, normalise } from "./import-over.ts";
import { memoInLine, readMemo } from "./read-points.ts";

/** Maximum sum of the marks of a class's questions. */
export const maxTotal = 1000;

export const maxQuestions = 100;
export const tooManyQuestions = `A paper has at most ${maxQuestions} questions.`;

/** Maximum length of a feedback or a memo, in characters. */
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

const isParagraphs = z.refine<string>(
  (value) => value.replace(/[\t\r\n]/g, "").search(controls) === -1,
  "must have no control characters but tabs and line breaks",
);

/** A text of one line, from which `cleanedTexts` has taken what cannot be seen. */
const text = (max: number) => z.string().check(z.trim(), isReadable, z.maxLength(max));
const filledText = (max: number) => text(max).check(z.minLength(1));

/** Feedback of spaces alone becomes empty; spaces within and around other feedback stay. */
const feedback = z.optional(
  z.string().check(
    z.overwrite((value) => (value.trim() === "" ? "" : value)),
    isReadable,
    z.maxLength(maxFeedback),
  ),
);

const visible = z.overwrite(withoutInvisible);

const memo = z.optional(
  z.string().check(visible, z.trim(), isReadable, isParagraphs, z.maxLength(maxFeedback)),
);

const total = z.number().check(z.minimum(0.25), z.maximum(maxTotal), quarter);

const question = z.strictObject({
  questionNumber: filledText(20).register(z.globalRegistry, {
    description: "For example 1.1. Must be unique.",
  }),
  description: z.optional(text(500)).register(z.globalRegistry, {
    description: "May be left out of a question that the class has, as its total may.",
  }),
  totalMarks: z.optional(total),
  memo: memo.register(z.globalRegistry, {
    description:
      "Its points are separated by semicolons or new lines, each with its worth in brackets: thick leaves (1). Empty: it stays.",
  }),
});

const line = (max: number) =>
  z.string().check(visible, z.trim(), isReadable, isOneLine, z.minLength(1), z.maxLength(max));

/** A question with its memo, as the marking desk has it. */
export const paperQuestion = z.strictObject({
  questionNumber: line(20),
  description: line(500),
  totalMarks: total,
  memo,
});

const mark = z.strictObject({
  questionNumber: filledText(20),
  marksAwarded: z
    .optional(z.nullable(z.number().check(z.minimum(0), z.maximum(maxTotal), quarter)))
    .register(z.globalRegistry, {
      description:
        "In whole, half or quarter marks. Missing or null: the proposal stays as it is, or is taken away by --replace.",
    }),
  feedback: feedback.register(z.globalRegistry, {
    description: "The reason of the mark. Empty: it stays, unless the mark becomes another.",
  }),
  unsure: z.optional(z.boolean()).register(z.globalRegistry, {
    description: "Whether the model is unsure of this mark: a person should look at it first.",
  }),
});

/** The fields that identify the learner of a submission: one is enough. */
const owner = {
  key: z.optional(z.string().check(z.maxLength(100))).register(z.globalRegistry, {
    description: "Of class.json, as class pages writes it; needs --keys.",
  }),
  learnerNumber: z
    .optional(z.string().check(z.trim(), z.maxLength(20)))
    .register(z.globalRegistry, {
      description: "Of a class list.",
    }),
  fileName: z.optional(z.string().check(z.trim(), z.maxLength(500))).register(z.globalRegistry, {
    description: "As printed by requests show, or a file of which the learner has pages.",
  }),
};

const submission = z.strictObject({
  ...owner,
  studentName: z.optional(text(200)),
  feedback,
  questionMarks: z.array(mark).check(z.maxLength(maxQuestions)),
});

const questions = z
  .array(question)
  .check(z.maxLength(maxQuestions))
  .register(z.globalRegistry, {
    description: `With those that the class has, their marks may sum to any total from 1 to ${maxTotal}.`,
  });

const resultsFile = z.strictObject({
  title: z.optional(text(200)),
  proposedBy: z.optional(text(200)).register(z.globalRegistry, {
    description: "Who proposes the marks, such as the name of a model.",
  }),
  questions: z.optional(questions),
  submissions: z.array(submission).check(z.minLength(1)),
});

type Submission = z.infer<typeof submission>;

/** The JSON Schema of a results file, for editors and other programs. */
export const resultsSchema = () => z.toJSONSchema(resultsFile, { io: "input" });

/** The learners' ids by the keys that a results file may name them with. */
export type LearnerKeys = ReadonlyMap<string, number>;

/**
 * Validates a whole results file.
 * @param options.replaces whether the class loses the questions that the file leaves out
 * @returns all errors, or else what the file contains and sentences about what was cleaned. Each error and sentence
 * starts with its path in the file, such as `submissions[3].fileName: …`
 */
export function validateResultsFile(
  json: unknown,
  target: ImportTarget,
  {
    keys = new Map(),
    replaces,
  }: { keys?: LearnerKeys | undefined } & Pick<ImportOptions, "replaces"> = {},
):
  | { errors: string[]; imported?: never; cleaned?: never }
  | { errors?: never; imported: ImportedResults; cleaned: string[] } {
  const { value, cleaned } = cleanedTexts(json);
  const parsed = resultsFile.safeParse(value, { error: messageOf });
  const given = parsed.data?.questions ?? questions.safeParse(propertyOf(value, "questions")).data;
  const paper = completedQuestions(given ?? [], target.questions, replaces);
  const rows = propertyOf(value, "submissions");
  const submissionValues: unknown[] = Array.isArray(rows) ? rows : [];
  const owners = ownersOf(submissionValues, target, keys);
  const errors = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${formatPath(path)}: ${message}`),
    ...(target.title || !isBlank(propertyOf(value, "title")) ? [] : ["title: must not be empty"]),
    ...paper.errors,
    ...markErrors(submissionValues, paper.all),
    ...owners.errors,
  ];
  if (!parsed.success || errors.length > 0) return { errors };
  const { title = "", proposedBy = "", submissions } = parsed.data;
  return {
    imported: {
      title,
      proposedBy,
      questions: paper.given,
      submissions: submissions.map((one, index) => ({
        ...owners.found[index]!,
        studentName: one.studentName ?? "",
        feedback: one.feedback ?? "",
        questionMarks: one.questionMarks.map(({ marksAwarded = null, feedback = "", ...mark }) => ({
          questionNumber: mark.questionNumber,
          marksAwarded,
          feedback,
          ...(mark.unsure && { unsure: true as const }),
        })),
      })),
    },
    cleaned,
  };
}

/** Rewords frequent errors for markers; other errors keep the library’s text. */
export const messageOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type" && issue.expected === "number") return "must be a number";
  if (issue.code === "invalid_type" && issue.expected === "string") return "must be text";
  if (issue.code === "not_multiple_of") return "must be in whole, half or quarter marks";
  if (issue.code === "too_small" && issue.origin === "string") return "must not be empty";
  if (issue.code === "too_big" && issue.origin === "string") {
    return `must have at most ${issue.maximum} characters`;
  }
  if (issue.code === "too_small" && issue.origin === "number") {
    return `must be at least ${issue.minimum}`;
  }
  if (issue.code === "too_big" && issue.origin === "number") {
    return `must be at most ${issue.maximum}`;
  }
  return en().localeError(issue);
};

/** Sentences about questions that a class cannot have together, whatever their marks sum to. */
function paperErrors(all: ImportTarget["questions"]): string[] {
  if (all.length > maxQuestions) return [tooManyQuestions];
  return groupsOf(all).flatMap((group) => {
    const { choice } = group[0]!;
    return (choice && choiceError(group, choice.best)) ?? [];
  });
}

/** A sentence about a choice of the best of some questions; undefined if nothing is wrong with it. */
export function choiceError(
  chosen: readonly Pick<PaperQuestion, "totalMarks">[],
  best: number,
): string | undefined {
  if (chosen.length < 2) return "Name at least two questions to choose from.";
  if (best < 1 || best >= chosen.length) {
    return `Choose from 1 to ${chosen.length - 1} of ${chosen.length} questions.`;
  }
  return chosen.every(({ totalMarks }) => totalMarks === chosen[0]!.totalMarks)
    ? undefined
    : "The questions of a choice must be out of the same marks.";
}

/** A property of a value of unknown type; undefined if it has none. */
function propertyOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null
    ? (json as Record<string, unknown>)[name]
    : undefined;
}

const isBlank = (value: unknown) =>
  value === undefined || (typeof value === "string" && value.trim() === "");

/** Completes the questions of a file from the stored ones. `all` also has the stored questions that the class keeps. */
function completedQuestions(
  given: z.infer<typeof questions>,
  before: ImportTarget["questions"],
  replaces = false,
): { given: ImportedQuestion[]; all: ImportedQuestion[]; errors: string[] } {
  const errors: string[] = [];
  const stored = new Map(before.map((one) => [one.questionNumber, one]));
  const complete = given.map((question, index) => {
    const old = stored.get(question.questionNumber);
    const description = question.description || old?.description;
    const totalMarks = question.totalMarks ?? old?.totalMarks;
    if (!description) errors.push(`questions[${index}].description: must not be empty`);
    if (totalMarks === undefined) errors.push(`questions[${index}].totalMarks: must be a number`);
    const read = totalMarks ? memoIn(question.memo, totalMarks, old) : undefined;
    if (read && "error" in read) errors.push(`questions[${index}].memo: ${read.error}`);
    return {
      questionNumber: question.questionNumber,
      description: description ?? "",
      totalMarks: totalMarks ?? 0,
      ...(old?.choice && { choice: old.choice }),
      ...(read && !("error" in read) && read),
    };
  });
  const numbers = complete.map(({ questionNumber }) => questionNumber);
  const kept = replaces && given.length > 0 ? [] : before;
  const all = [...complete, ...kept.filter((one) => !numbers.includes(one.questionNumber))];
  const sum = paperTotal(all);
  errors.push(
    ...repeatedIndexes(numbers).map(
      (index) => `questions[${index}]: "${numbers[index]}" appears twice`,
    ),
  );
  if (errors.length === 0 && !(sum >= 1 && sum <= maxTotal)) {
    errors.push(`questions: the marks must sum to 1 to ${maxTotal}, but sum to ${sum}`);
  }
  // A file without questions is not rejected for errors in a paper that an older release has stored.
  if (errors.length === 0 && given.length > 0) {
    errors.push(...paperErrors(all).map((error) => `questions: ${error}`));
  }
  return { given: complete, all, errors };
}

/**
 * Reads the memo that a file gives; undefined if there is none, or if it is the stored memo, as exports have it. To
 * read that again could make points of a memo that is stored as text without points.
 */
function memoIn(
  memo: string | undefined,
  totalMarks: number,
  old: ImportedQuestion | undefined,
): ReturnType<typeof readMemo> | undefined {
  const isStored = memoInLine(memo ?? "") === old?.memo && totalMarks === old.totalMarks;
  return memo && !isStored ? readMemo(memo, totalMarks) : undefined;
}

/** Checks the marks of well-formed submissions, even if others are malformed. */
function markErrors(submissionValues: unknown[], allQuestions: ImportedQuestion[]): string[] {
  const byNumber = Map.groupBy(allQuestions, ({ questionNumber }) => questionNumber);
  return submissionValues.flatMap((value, index) => {
    const { data } = submission.safeParse(value);
    const path = `submissions[${index}].questionMarks`;
    return data ? submissionErrors(data, byNumber, path) : [];
  });
}

function submissionErrors(
  { questionMarks }: Submission,
  byNumber: ReadonlyMap<string, ImportedQuestion[]>,
  path: string,
): string[] {
  const numbers = questionMarks.map(({ questionNumber }) => questionNumber);
  return [
    ...repeatedIndexes(numbers).map(
      (index) => `${path}[${index}]: "${numbers[index]}" is marked twice`,
    ),
    ...questionMarks.flatMap(({ questionNumber, marksAwarded }, index) => {
      const question = byNumber.get(questionNumber)?.[0];
      if (!question) return `${path}[${index}]: there is no question "${questionNumber}"`;
      const { totalMarks } = question;
      return (marksAwarded ?? 0) > totalMarks
        ? `${path}[${index}].marksAwarded: ${marksAwarded} is more than the question’s ${totalMarks}`
        : [];
    }),
  ];
}

type Owner = Pick<ImportedSubmission, "learnerId" | "fileName">;

/** Finds the learner of each submission, or says which submissions have none. */
function ownersOf(
  submissionValues: unknown[],
  target: ImportTarget,
  keys: LearnerKeys,
): { found: Owner[]; errors: string[] } {
  const find = learnerFinder(target, keys, submissionValues);
  const errors: string[] = [];
  const found = submissionValues.map((one, index): Owner => {
    const owner = find(one);
    if ("error" in owner) {
      errors.push(`submissions[${index}].${owner.field}: ${owner.error}`);
      return { fileName: "" };
    }
    const { learnerId, fileName } = owner.learner;
    return { fileName, ...(learnerId !== undefined && { learnerId }) };
  });
  return { found, errors };
}

type Learner = ImportTarget["learners"][number];
type Found = { field: string } & ({ learner: Learner; typed: string } | { error: string });

/**
 * Returns a function that finds the learner of one submission after another, by key, number and file name, or an error:
 * these disagree, or the learner has a submission already. A file name is first looked for among those of whole works,
 * then among those of their parts.
 */
function learnerFinder({ learners }: ImportTarget, keys: LearnerKeys, submissions: unknown[]) {
  const byId = Map.groupBy(learners, ({ learnerId }) => learnerId);
  const byNumber = Map.groupBy(learners, ({ learnerNumber }) => learnerNumber);
  const byFile = Map.groupBy(learners, ({ fileName }) => normalise(fileName));
  const byPart = Map.groupBy(
    learners.flatMap((learner) => (learner.files ?? []).map((name) => ({ name, learner }))),
    ({ name }) => normalise(name),
  );
  const rowsByFile = Map.groupBy(submissions, (one) => normalise(`${propertyOf(one, "fileName")}`));
  const finders: Record<keyof typeof owner, (typed: string) => Learner[]> = {
    key: (typed) => (keys.has(typed) && byId.get(keys.get(typed))) || [],
    learnerNumber: (typed) => byNumber.get(typed.trim()) ?? [],
    fileName: (typed) =>
      byFile.get(normalise(typed)) ?? [
        ...new Set(byPart.get(normalise(typed))?.map(({ learner }) => learner)),
      ],
  };
  /** Whether several learners have one file name, and each has a submission with it. */
  const isNameOfAll = (typed: string) => {
    const named = byFile.get(normalise(typed));
    return named !== undefined && named.length === rowsByFile.get(normalise(typed))?.length;
  };
  const taken = new Set<Learner>();
  return (value: unknown): Found => {
    let first: Extract<Found, { learner: Learner }> | undefined;
    for (const [field, find] of Object.entries(finders)) {
      const typed = propertyOf(value, field);
      if (typeof typed !== "string" || typed.trim() === "") continue;
      const found = find(typed);
      // Submissions with the file name of several learners are theirs in the order of the class.
      const learner = found.find((one) => !taken.has(one)) ?? found[0];
      if (!learner) return { field, error: `"${typed}" is of no learner of the class` };
      if (first && !found.includes(first.learner)) {
        return { field, error: `"${typed}" and "${first.typed}" are of two learners` };
      }
      if (!first && found.length > 1 && !isNameOfAll(typed)) {
        const how = byFile.has(normalise(typed)) ? ": give numbers, or all of them in order" : "";
        return { field, error: `"${typed}" is of ${found.length} learners${how}` };
      }
      first ??= { field, learner, typed };
    }
    if (!first) return { field: "fileName", error: "must not be empty, unless there is a number" };
    const { field, learner, typed } = first;
    if (taken.has(learner)) {
      return { field, error: `"${typed}" is of a learner who has a row already` };
    }
    taken.add(learner);
    return first;
  };
}

/** Indexes of values that occur earlier in the list. */
function repeatedIndexes(all: string[]): number[] {
  return all.flatMap((one, index) => (all.indexOf(one) < index ? [index] : []));
}
