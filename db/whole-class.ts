/**
 * Parses, in the caller's thread, the results of operations that read a whole class. The database's thread sends the
 * marks as stored text, because every other call would wait while it parsed them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Desk, type DeskLearner, opensQuestion } from "../app/domain/desk.ts";
import type { MarkedSubmission, QuestionMark, Results } from "../app/domain/result.ts";
import {
  feedbackForLearner,
  markForLearner,
  withoutMarkers,
} from "../app/results/apply-decision.ts";
import { shownMark, viewerOf } from "../app/results/shown-mark.ts";

/** A learner's marks as stored text. NULL and the JSON text `null`, which the specification allows, mean no marks. */
export type MarksText = string | null;

export type StoredResults = Omit<Results, "submissions"> & {
  submissions: (Omit<MarkedSubmission, "questionMarks"> & { marks: MarksText })[];
};

/** A desk with the marks on all questions, whatever its link opens. */
export type StoredDesk = Omit<Desk, "learners"> & {
  learners: (Omit<DeskLearner, "marks"> & { marks: MarksText; isBlind: boolean })[];
};

/** How many learners are parsed in one turn of the event loop, so that the server answers others between them. */
const learnersOfTurn = 20;

const parsed = (text: MarksText): QuestionMark[] => JSON.parse(text ?? "null") ?? [];

export const withMarksParsed = <Row extends { marks: MarksText }>({ marks, ...row }: Row) => ({
  ...row,
  questionMarks: parsed(marks),
});

async function eachInTurns<From, To>(all: From[], make: (one: From) => To): Promise<To[]> {
  const made: To[] = [];
  for (const one of all) {
    made.push(make(one));
    if (made.length % learnersOfTurn === 0) await nextTurn();
  }
  return made;
}

async function parseResults(stored: StoredResults | undefined): Promise<Results | undefined> {
  if (!stored) return undefined;
  return { ...stored, submissions: await eachInTurns(stored.submissions, withMarksParsed) };
}

async function parseOpened(stored: StoredResults | undefined): Promise<Results | undefined> {
  const results = await parseResults(stored);
  if (results?.link?.kind !== "read") return results;
  // A reading copy may be passed on. It has the texts for learners, and says neither which marker decided what nor what
  // a second marker gave.
  const isSigned = results.signed !== undefined;
  const submissions = withoutMarkers(results.submissions, ({ role }) => role === "marker").map(
    (one) => ({
      ...one,
      feedback: feedbackForLearner(one, isSigned),
      questionMarks: one.questionMarks.map(({ second: _, ...mark }) => markForLearner(mark)),
    }),
  );
  return { ...results, submissions };
}

async function parseDesk<Closed extends { state: string }>(
  stored: StoredDesk | Closed,
): Promise<Desk | Closed> {
  if ("state" in stored) return stored;
  const { link } = stored;
  const learners = await eachInTurns(stored.learners, ({ marks, isBlind, ...learner }) => ({
    ...learner,
    marks: parsed(marks)
      .filter(({ questionNumber }) => opensQuestion(link, questionNumber))
      .map((mark) => shownMark(mark, viewerOf(link, isBlind))),
  }));
  return { ...stored, learners };
}

/** Functions that turn the result of an operation into what the caller gets, by the operation's name. */
export const finish = {
  findImportedResults: parseResults,
  findResults: parseOpened,
  findDesk: parseDesk,
};
