import rubric from "../../../content/sample/rubric.txt?raw";
import type { AnswerKey, DeskHead, DeskLink, MarkingOrder } from "../../domain/desk.ts";
import type { QuestionMark, Results } from "../../domain/result.ts";
import { isSameAnswer } from "../../results/answer-states.ts";
import { sampleResults } from "./sample-results.ts";

const texts = import.meta.glob<string>("../../../content/sample/submissions/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

const learnerIds = [2, 6, 13];
const questionNumbers = ["2.1", "2.3"];

/**
 * The marking desk that every visitor may open: six answers of the sample class. Nothing is stored.
 * @param hasProposals whether a model has proposed the marks; otherwise there are none yet
 */
export function sampleDesk(hasProposals: boolean) {
  // The marks are proposals here; sampleLearners removes them if there is no model that could have made them.
  const results = sampleResults(true);
  const { title } = results;
  const learners = sampleLearners(hasProposals, results);
  const questions = sampleQuestions(learners[0]!.marks, results.points!);
  const total = learnerIds.length * questions.length;
  const head: DeskHead = {
    link,
    title,
    progress: { decided: 0, total },
    questionCount: questions.length,
    problems: null,
    scriptsReady: null,
  };
  return {
    head,
    desk: {
      link,
      title,
      questions,
      paperVersion: "",
      learners,
      openElsewhere: [],
      drafts: [],
      asked: [],
    },
    /** Returns the answer with a key; undefined if there is none. */
    answer({ order, learnerId, questionNumber }: AnswerKey & { order: MarkingOrder }) {
      const learner = learners.find(({ id }) => id === learnerId);
      const mark = learner?.marks.find((one) => one.questionNumber === questionNumber);
      const question = questions.find((one) => one.questionNumber === questionNumber);
      if (!learner || !mark || !question) return undefined;
      const keys = keysIn(order, learners);
      const index = keys.findIndex((one) => isSameAnswer(one, { learnerId, questionNumber }));
      return {
        head,
        learner,
        question,
        mark,
        work: learner.files,
        before: keys[index - 1] ?? null,
        after: keys[index + 1] ?? null,
        ...nobodyElse,
      };
    },
    /** Returns the key of the answer that follows `after`; of the first if `after` is the last or undefined. */
    next({ order, after }: { order: MarkingOrder; after?: AnswerKey }) {
      const keys = keysIn(order, learners);
      const last = after ? keys.findIndex((one) => isSameAnswer(one, after)) : -1;
      return keys[(last + 1) % keys.length]!;
    },
  };
}

const sampleLearners = (hasProposals: boolean, { submissions }: Results) =>
  learnerIds.map((id) => {
    // The ids exist in content/sample.
    const { fileName, questionMarks } = submissions.find(({ learnerId }) => learnerId === id)!;
    const marks = questionMarks
      .filter((mark) => questionNumbers.includes(mark.questionNumber))
      .map(({ unsure, ...mark }) =>
        hasProposals
          ? { ...mark, ...(unsure && { unsure }) }
          : { ...mark, marksAwarded: null, feedback: "" },
      );
    const paragraphs = questionNumbers.flatMap((number) => section(textOf(fileName), number));
    const files = [workOf(paragraphs)];
    return { id, number: String(id), name: null, fileName: null, files, marks };
  });

const sampleQuestions = (marks: QuestionMark[], points: NonNullable<Results["points"]>) =>
  marks.map(({ questionNumber, totalMarks, description }) => ({
    questionNumber,
    totalMarks,
    description,
    memo: section(rubric, questionNumber)
      .join(" ")
      .replace(/^\S+ \(\d+\)\s*/, ""),
    memoPoints: points[questionNumber]!,
  }));

/** A marker's link to the six answers. */
const link: DeskLink = {
  id: 0,
  reference: "",
  marker: "you",
  questions: questionNumbers,
  learners: learnerIds,
  showsNames: false,
  tolerance: null,
  isEducators: false,
  createdAt: "",
  expiresAt: "",
  openedAt: "",
  receivedAt: "2026-06-03T12:00:00.000Z",
};

/** The parts of an answer that other people or earlier work would fill: all empty. */
const nobodyElse = {
  elsewhere: [],
  isOpened: true,
  usedComments: [],
  asked: null,
  learnerMarks: [],
  saved: null,
};

function keysIn(order: MarkingOrder, learners: { id: number; marks: QuestionMark[] }[]) {
  const keys = learners.flatMap(({ id: learnerId, marks }) =>
    marks.map(({ questionNumber }) => ({ learnerId, questionNumber })),
  );
  if (order === "learner") return keys;
  return questionNumbers.flatMap((number) =>
    keys.filter(({ questionNumber }) => questionNumber === number),
  );
}

const workOf = (paragraphs: string[]) => ({
  fileId: 0,
  firstPage: 1,
  lastPage: null,
  name: null,
  rendered: { kind: "paragraphs" as const, paragraphs },
  stamps: [],
});

const textOf = (fileName: string) =>
  Object.entries(texts).find(([path]) => path.endsWith(`/${fileName}`))![1];

/** Returns the lines of a question in a text, the first with its number; wrapped lines are joined. */
function section(text: string, number: string): string[] {
  const found = text.split(/\r?\n\r?\n/).find((part) => part.split(/\s/, 1)[0] === number)!;
  return found
    .trim()
    .replace(/(.{60,})\r?\n\s*(?!\()/g, "$1 ")
    .split(/\r?\n/);
}
