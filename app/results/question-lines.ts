/**
 * The questions of a paper as lines that people type. `1.1 | 3 | Names three adaptations | thick leaves` has number,
 * marks, text and memo; so has a row of a spreadsheet with these cells. `choose 3: 4.1 4.2 4.3 4.4 4.5` says that only
 * the best three of these questions count.
 */
import type { PaperQuestion } from "../domain/desk.ts";
import { paperTotal } from "./grade.ts";
import { memoInLine, readMemo } from "./read-points.ts";
import {
  choiceError,
  maxQuestions,
  maxTotal,
  messageOf,
  paperQuestion,
  tooManyQuestions,
} from "./results-file.ts";

export interface LineError {
  /** From 1; null if the error is about all lines. */
  line: number | null;
  message: string;
}

interface Line {
  line: number;
  text: string;
}

const tooMany = { line: null, message: tooManyQuestions };

/** Reads all lines, or says what is wrong with each. */
export function readQuestionLines(
  typed: string,
): { questions: PaperQuestion[]; errors?: never } | { errors: LineError[]; questions?: never } {
  const lines = linesOf(typed);
  // Each question has a line, and may have a line for a choice of its own.
  if (lines.length > 2 * maxQuestions) return { errors: [tooMany] };
  const isChoice = ({ text }: Line) => /^choose\b/i.test(text);
  const errors: LineError[] = [];
  const questions: PaperQuestion[] = [];
  for (const line of lines.filter((one) => !isChoice(one))) {
    const { question, error } = readQuestion(line, questions);
    if (question) questions.push(question);
    else errors.push({ line: line.line, message: error! });
  }
  for (const [index, line] of lines.filter(isChoice).entries()) {
    const message = setChoice(line.text, index + 1, questions);
    // After an error, choices are not reported: they may name a question whose line is wrong.
    if (message && errors.length === 0) errors.push({ line: line.line, message });
  }
  if (errors.length === 0) errors.push(...wholeErrors(questions));
  return errors.length > 0
    ? { errors: errors.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)) }
    : { questions };
}

function readQuestion(
  { text }: Line,
  questionsAbove: readonly PaperQuestion[],
): { question?: PaperQuestion; error?: string } {
  const [questionNumber, marks, description, ...memo] = cellsOf(text);
  if (marks === undefined) {
    return {
      error: "Write number | marks | text | memo, such as 1.1 | 3 | Names three adaptations.",
    };
  }
  const { data, error } = paperQuestion.safeParse(
    {
      questionNumber,
      totalMarks: /^\d+([.,]\d+)?$/.test(marks) ? Number(marks.replace(",", ".")) : marks,
      description: description || `Question ${questionNumber}`,
      memo: memo.join(" | "),
    },
    { error: messageOf },
  );
  if (!data) {
    const { path, message } = error.issues[0]!;
    return { error: `The ${cellNames[String(path[0])]} ${message}.` };
  }
  if (questionsAbove.some((one) => one.questionNumber === data.questionNumber)) {
    return { error: `There are two questions ${data.questionNumber}.` };
  }
  const read = readMemo(data.memo ?? "", data.totalMarks);
  return read.memo ? { question: { ...data, ...read.memo } } : { error: read.error };
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

/** Sets the choice of the questions that a line names. Returns what is wrong with the line, or undefined. */
function setChoice(text: string, group: number, questions: PaperQuestion[]): string | undefined {
  const [, count = "", list = ""] = /^choose\s+(\d{1,3})\s*:(.*)$/i.exec(text) ?? [];
  const numbers = list.split(/[\s,]+/).filter(Boolean);
  if (numbers.length === 0)
    return "Write choose, a number and questions, such as choose 3: 4.1 4.2 4.3 4.4.";
  const chosen = questions.filter(({ questionNumber }) => numbers.includes(questionNumber));
  const unknown = numbers.find((one) => !chosen.some((found) => found.questionNumber === one));
  if (unknown !== undefined) return `There is no question ${unknown}.`;
  const taken = chosen.find(({ choice }) => choice);
  if (taken) return `Question ${taken.questionNumber} is in another choice.`;
  const best = Number(count);
  const error = choiceError(chosen, best);
  if (error) return error;
  for (const question of chosen) question.choice = { group, best };
  return undefined;
}

function wholeErrors(questions: readonly PaperQuestion[]): LineError[] {
  const total = paperTotal(questions);
  if (questions.length === 0) return [{ line: null, message: "Write a line for each question." }];
  if (questions.length > maxQuestions) return [tooMany];
  return total >= 1 && total <= maxTotal
    ? []
    : [{ line: null, message: `The marks must sum to 1 to ${maxTotal}; they sum to ${total}.` }];
}

/** Returns the lines from which `readQuestionLines` reads the same questions, but for tabs and spaces around bars. */
export function questionLines(questions: readonly PaperQuestion[]): string {
  const choices = Map.groupBy(
    questions.filter(({ choice }) => choice),
    ({ choice }) => choice!.group,
  );
  return [
    ...questions.map(({ questionNumber, totalMarks, description, memo }) =>
      [questionNumber, totalMarks, unspaced(description), ...(memo ? [untabbed(memo)] : [])].join(
        " | ",
      ),
    ),
    ...[...choices.values()].map(
      (chosen) =>
        `choose ${chosen[0]!.choice!.best}: ${chosen.map(({ questionNumber }) => questionNumber).join(" ")}`,
    ),
  ].join("\n");
}

/** Takes away spaces around bars: a bar with spaces around it would begin the memo. */
const unspaced = (text: string) => text.replace(/(?:^|(?<!\s)\s+)\|(?=\s|$)\s*/g, "|");

/** Replaces tabs, which an imported memo may have: a line with a tab is divided at tabs. */
const untabbed = (text: string) => text.replaceAll("\t", " ");
