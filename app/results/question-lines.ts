/**
 * The questions of a paper as lines that people type. `1.1 | 3 | Names three adaptations | thick leaves` has number,
 * marks, text and memo; so has a row of a spreadsheet with these cells. `choose 3: 4.1 4.2 4.3 4.4 4.5` says that only
 * the best three of these questions count.
 */
import type { PaperQuestion } from "../domain/desk.ts";
import { groupsOf, paperTotal } from "./grade.ts";
import { memoInLine, readMemo } from "./read-points.ts";
import {
  choiceError,
  maxQuestions,
  maxTotal,
  messageOf,
  paperQuestion,
  tooManyQuestions,
} from "./results-file.ts";
import { numberOrText } from "./typed-decision.ts";

interface LineError {
  /** From 1; null if the error is about all lines. */
  line: number | null;
  message: string;
}

interface Line {
  line: number;
  text: string;
}

type Questions = ReadonlyMap<string, PaperQuestion>;

/** Reads all lines, or says what is wrong with each. */
export function readQuestionLines(
  typed: string,
): { questions: PaperQuestion[]; errors?: never } | { errors: LineError[]; questions?: never } {
  const lines = linesOf(typed);
  // Each question has a line, and may have a line for a choice of its own.
  if (lines.length > 2 * maxQuestions)
    return { errors: [{ line: null, message: tooManyQuestions }] };
  const isChoice = ({ text }: Line) => /^choose\b/i.test(text);
  const errors: LineError[] = [];
  const questions = new Map<string, PaperQuestion>();
  for (const { line, text } of lines.filter((one) => !isChoice(one))) {
    const read = readQuestion(text, questions);
    if ("error" in read) errors.push({ line, message: read.error });
    else questions.set(read.questionNumber, read);
  }
  // After an error, choices are not read: they may name a question whose line is wrong.
  if (errors.length > 0) return { errors };
  for (const [index, { line, text }] of lines.filter(isChoice).entries()) {
    const read = readChoice(text, questions);
    if ("error" in read) return { errors: [{ line, message: read.error }] };
    const choice = { group: index + 1, best: read.best };
    for (const one of read.chosen) questions.set(one.questionNumber, { ...one, choice });
  }
  const all = [...questions.values()];
  const message = wholeError(all);
  return message ? { errors: [{ line: null, message }] } : { questions: all };
}

function readQuestion(text: string, questionsAbove: Questions): PaperQuestion | { error: string } {
  const [questionNumber, marks, description, ...memo] = cellsOf(text);
  if (marks === undefined) {
    return {
      error: "Write number | marks | text | memo, such as 1.1 | 3 | Names three adaptations.",
    };
  }
  const { data, error } = paperQuestion.safeParse(
    {
      questionNumber,
      totalMarks: numberOrText(marks),
      description: description || `Question ${questionNumber}`,
      memo: memo.join(" | "),
    },
    { error: messageOf },
  );
  if (!data) {
    const { path, message } = error.issues[0]!;
    return { error: `The ${cellNames[String(path[0])]} ${message}.` };
  }
  if (questionsAbove.has(data.questionNumber)) {
    return { error: `There are two questions ${data.questionNumber}.` };
  }
  const read = readMemo(data.memo ?? "", data.totalMarks);
  return "error" in read ? read : { ...data, ...read };
}

const lineEnd = /\r\n|\r|\n/;
/** A cell of several lines is pasted in quotation marks. */
const quotedCell = /\t"((?:[^"]|"")*)"(?=[\t\r\n]|$)/g;
/** A line, with all lines of its quoted cells. */
const row = /(?:\t"(?:[^"]|"")*"(?=[\t\r\n]|$)|[^\r\n])+/g;

/** The lines that are not blank, numbered as typed. Semicolons join the lines of a quoted cell: each is a point. */
function linesOf(typed: string): Line[] {
  let line = 1;
  let before = 0;
  const lines = [...typed.matchAll(row)].map(({ 0: text, index }) => {
    line += typed.slice(before, index).split(lineEnd).length - 1;
    before = index;
    return { line, text: withCellsInLine(text).trim() };
  });
  return lines.filter(({ text }) => text !== "");
}

const withCellsInLine = (text: string) =>
  text.replace(quotedCell, (_, cell: string) => `\t${memoInLine(cell.replaceAll('""', '"'))}`);

/** Splits a line at tabs or bars. If its first bar is between spaces, bars without spaces are text: “Solve |x| = 3”. */
function cellsOf(line: string): string[] {
  const isSpaced = /^([^|]*\s)?\|(\s|$)/.test(line);
  const bar = isSpaced ? /(?<=^|\s)\|(?=\s|$)/ : "|";
  return line.split(line.includes("\t") ? "\t" : bar).map((cell) => cell.trim());
}

const cellNames: Record<string, string> = {
  questionNumber: "number",
  totalMarks: "marks",
  description: "text",
  memo: "memo",
};

/** Reads the line of a choice: the questions that it names, of which the best count. */
function readChoice(
  text: string,
  questions: Questions,
): { chosen: PaperQuestion[]; best: number } | { error: string } {
  const [, count = "", list = ""] = /^choose\s+(\d{1,3})\s*:(.*)$/i.exec(text) ?? [];
  const numbers = new Set(list.split(/[\s,]+/).filter(Boolean));
  if (numbers.size === 0) {
    return { error: "Write choose, a number and questions, such as choose 3: 4.1 4.2 4.3 4.4." };
  }
  const chosen: PaperQuestion[] = [];
  for (const number of numbers) {
    const question = questions.get(number);
    if (!question) return { error: `There is no question ${number}.` };
    chosen.push(question);
  }
  const taken = chosen.find(({ choice }) => choice);
  if (taken) return { error: `Question ${taken.questionNumber} is in another choice.` };
  const best = Number(count);
  const error = choiceError(chosen, best);
  return error === undefined ? { chosen, best } : { error };
}

function wholeError(questions: readonly PaperQuestion[]): string | undefined {
  if (questions.length === 0) return "Write a line for each question.";
  if (questions.length > maxQuestions) return tooManyQuestions;
  const total = paperTotal(questions);
  return total >= 1 && total <= maxTotal
    ? undefined
    : `The marks must sum to 1 to ${maxTotal}; they sum to ${total}.`;
}

/** Returns the lines from which `readQuestionLines` reads the same questions, but for tabs and spaces around bars. */
export function questionLines(questions: readonly PaperQuestion[]): string {
  const choices = groupsOf(questions).flatMap((group) => {
    const { choice } = group[0]!;
    const numbers = group.map(({ questionNumber }) => questionNumber);
    return choice ? `choose ${choice.best}: ${numbers.join(" ")}` : [];
  });
  const lines = questions.map(({ questionNumber, totalMarks, description, memo }) =>
    [questionNumber, totalMarks, unspaced(description), ...(memo ? [untabbed(memo)] : [])].join(
      " | ",
    ),
  );
  return [...lines, ...choices].join("\n");
}

/** Takes away spaces around bars: a bar with spaces around it would begin the memo. */
const unspaced = (text: string) => text.replace(/(?:^|(?<!\s)\s+)\|(?=\s|$)\s*/g, "|");

/** Replaces tabs, which an imported memo may have: a line with a tab is divided at tabs. */
const untabbed = (text: string) => text.replaceAll("\t", " ");
