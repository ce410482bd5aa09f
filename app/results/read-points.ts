/**
 * The points of a memo as people type them: `thick leaves (1); deep roots (1½); spines`, separated by semicolons or
 * new lines, each with its worth in brackets at its end. Separators within brackets or quotation marks belong to a
 * point; the bullets of a list do not.
 */

import type { PaperQuestion } from "../domain/desk.ts";

/** A point of a memo, for which an answer may earn a part of its marks. */
export interface TypedPoint {
  text: string;
  /** In marks, to a quarter. */
  worth: number;
}

export const maxPoints = 100;

/**
 * Reads the points of a memo: none if no part ends in a worth; otherwise parts without one are worth 1.
 * @returns the points, or a sentence about the first thing that is wrong, and what to type instead
 */
export function readPoints(
  memo: string,
  totalMarks: number,
): { points: TypedPoint[]; error?: never } | { error: string; points?: never } {
  const { parts, open } = partsOf(memo);
  if (open !== undefined) {
    return anyWorth.test(withSingleSpaces(memo))
      ? { error: `A bracket in “${shortened(open)}” is not closed. Type “)” where it ends.` }
      : { points: [] };
  }
  const read = parts.map((part) => readPart(part, totalMarks));
  const points = read.flatMap((one) => ("error" in one ? [] : one));
  const hasWorth = points.some(({ worth }) => worth !== undefined);
  const [wrong] = read.flatMap((one) =>
    "error" in one && (hasWorth || !one.mayBeText) ? one.error : [],
  );
  if (wrong !== undefined) return { error: wrong };
  if (!hasWorth) return { points: [] };
  const error = wholeError(points, totalMarks);
  return error === undefined
    ? { points: points.map(({ text, worth = 1 }) => ({ text, worth })) }
    : { error };
}

/** Sentences about what a person should look at before the points are stored. */
export function pointWarnings(points: readonly TypedPoint[], totalMarks: number): string[] {
  const sum = points.reduce((all, { worth }) => all + worth, 0);
  const doubled = points.filter(({ text }) => anyWorth.test(text));
  const byText = Map.groupBy(points, ({ text }) => text);
  return [
    ...(points.length > 0 && sum < totalMarks
      ? [`The points sum to ${sum}, less than the ${totalMarks} of the question.`]
      : []),
    ...doubled.map(
      ({ text }) =>
        `“${shortened(text)}” is one point with a worth within it. If it is two, type a semicolon between them.`,
    ),
    ...[...byText].flatMap(([text, same]) =>
      same.length > 1 ? `“${shortened(text)}” is more than one point.` : [],
    ),
  ];
}

/** A memo of several lines as one line, which has the same points. */
export function memoInLine(memo: string): string {
  const { enclosed, hasOpenBracket } = enclosedIn(memo);
  return memo
    .replace(/\s+/g, (space, index) => {
      if (!/[\r\n]/.test(space)) return space;
      // If a bracket is not closed, its end is unknown, so every line break is between two points.
      return enclosed[index] && !hasOpenBracket ? " " : "\n";
    })
    .split("\n")
    .map((line) => line.trim().replace(/;$/, ""))
    .filter(Boolean)
    .join("; ");
}

/** Returns a memo as it is stored with its question, or a sentence that says what to type. */
export function readMemo(
  typed: string,
  totalMarks: number,
): Pick<PaperQuestion, "memo" | "memoPoints"> | { error: string } {
  const memo = memoInLine(typed);
  const read = readPoints(memo, totalMarks);
  if (read.error !== undefined) return { error: read.error };
  const memoPoints = read.points.map((point) => ({ id: 0, ...point }));
  return { memo, ...(memoPoints.length > 0 && { memoPoints }) };
}

interface PointPart {
  part: string;
  /** The part without its worth. */
  text: string;
  /** Undefined if the part ends in no worth. */
  worth?: number;
}

interface WrongPart {
  /** A sentence about what is wrong with the part, and what to type instead. */
  error: string;
  /** Whether the part may be text, such as “any two”, a year or a tick: `error` counts only in a memo of points. */
  mayBeText: boolean;
}

const closing = new Map([
  ["(", ")"],
  ["[", "]"],
]);

/** The parts of a memo that are not empty; `open` is the last of them, if it has a bracket that is not closed. */
function partsOf(memo: string): { parts: string[]; open?: string } {
  const { text, enclosed, hasOpenBracket } = enclosedIn(memo);
  const parts = text
    .replace(/[;\r\n]/g, (sign, index) => (enclosed[index] ? sign.replace(/\s/, " ") : "\n"))
    .split("\n")
    .map((part) => withSingleSpaces(part).trim().replace(bullet, ""))
    .filter(Boolean);
  return { parts, ...(hasOpenBracket && { open: parts.at(-1)! }) };
}

/** Returns a memo with ASCII brackets and semicolons, and which characters are in brackets or quotation marks. */
function enclosedIn(memo: string) {
  const text = memo.replace(/（/g, "(").replace(/）/g, ")").replace(/[；؛]/g, ";");
  const numberOf = (sign: string) => text.split(sign).length - 1;
  // A quotation mark may mean inches, or be left open, so only pairs enclose text.
  const hasPairs = numberOf('"') % 2 === 0;
  const hasCurlyPairs = numberOf("“") === numberOf("”");
  let depth = 0;
  let isQuoted = false;
  const enclosed = text.split("").map((sign, index) => {
    if (hasCurlyPairs && (sign === "“" || sign === "”")) isQuoted = sign === "“";
    else if (sign === '"' && hasPairs) isQuoted = !isQuoted && !/\d/.test(text[index - 1] ?? "");
    else if (closing.has(sign)) depth += 1;
    else if (sign === ")" || sign === "]") depth = Math.max(0, depth - 1);
    return depth > 0 || isQuoted;
  });
  return { text, enclosed, hasOpenBracket: depth > 0 };
}

const bullet = /^(?:[•·●▪◦‣⁃]+ ?|[-–—*] )/;

function readPart(part: string, totalMarks: number): PointPart | WrongPart {
  const { before, inner, worth } = worthAtEnd(part);
  if (isCount(part) || isCount(before)) {
    return { error: sentences.count(part, totalMarks), mayBeText: typeof worth !== "number" };
  }
  if (worth === undefined) {
    const [bare] = bareWorth.exec(part) ?? [];
    if (bare === undefined) return { part, text: part };
    return { error: sentences.noBracket(part, bare), mayBeText: true };
  }
  if (worth === "none") {
    // Years, such as (1914–1918), may be text.
    const mayBeText = /\d{3}/.test(inner);
    return { error: sentences.noWorth(part, inner, totalMarks), mayBeText };
  }
  if (worth > totalMarks) {
    return { error: sentences.tooLarge(part, worth, totalMarks), mayBeText: worth >= 100 };
  }
  if (before === "") return { error: sentences.noText(inner), mayBeText: false };
  if (endsInWorth(before, totalMarks)) {
    return { error: sentences.twoWorths(part), mayBeText: false };
  }
  return { part, text: before, worth };
}

/** Divides a part at the bracket at its end. `worth` is what readWorth() returns; undefined without such a bracket. */
function worthAtEnd(part: string) {
  const text = part.replace(/\s*[.,]$/, "");
  const start = startOfBracket(text);
  if (start === -1) return { before: part, inner: "", worth: undefined };
  const inner = unwrapped(text.slice(start + 1, -1));
  return { before: text.slice(0, start).trim(), inner, worth: readWorth(inner) };
}

/** What to type in place of “any two” or (max 4); “it” in the sentence means these words. */
const whatToTypeInstead = (totalMarks: number) =>
  `Leave it out and give each point a worth of its own, such as thick leaves (1). What is ticked counts up to the ${totalMarks} of the question, so more points than marks are enough.`;

/** What is wrong with a part, and what to type instead. */
const sentences = {
  count: (part: string, totalMarks: number) =>
    `“${shortened(part)}” is no point. ${whatToTypeInstead(totalMarks)}`,
  noBracket: (part: string, bare: string) =>
    `“${shortened(part)}”: ${bare.trim()} is not in brackets. Type the worth as in thick leaves (1).`,
  noWorth: (part: string, inner: string, totalMarks: number) =>
    `“${shortened(part)}”: (${inner}) is not a worth. ${
      /\bany\b|\bmax|\benige\b/i.test(inner)
        ? whatToTypeInstead(totalMarks)
        : "Type it as marks in quarters, such as (1), (0.25), (0,5) or (1½)."
    }`,
  tooLarge: (part: string, worth: number, totalMarks: number) =>
    `“${shortened(part)}”: ${worth} is more than the ${totalMarks} of the question. If it belongs to the text, type the worth behind it, such as ${shortened(part.replace(/\s*[.,]$/, ""))} (1).`,
  noText: (inner: string) =>
    `A point has no text. Type it before (${inner}), such as thick leaves (1). If (${inner}) is that of the whole question, leave it out.`,
  twoWorths: (part: string) =>
    `“${shortened(part)}” ends in two worths. Type one, such as thick leaves (1), or a semicolon between two points.`,
};

/** Whether the text before a worth ends in a worth too. After a name of one character it may be text, as in f(2). */
function endsInWorth(before: string, totalMarks: number): boolean {
  const start = startOfBracket(before);
  if (start < 1 || /(?:^|\P{L})\p{L}$/u.test(before.slice(0, start))) return false;
  const worth = readWorth(unwrapped(before.slice(start + 1, -1)));
  return typeof worth === "number" && worth <= totalMarks;
}

/** The index at which the bracket begins that ends a text; -1 if no bracket does. */
function startOfBracket(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text[at]!;
    if (sign === ")" || sign === "]") depth += 1;
    else if (closing.has(sign)) depth -= 1;
    if (depth === 0) return at === text.length - 1 ? -1 : at;
  }
  return -1;
}

/** Max characters of a text that is unwrapped: a worth is shorter, and thousands of brackets would take too long. */
const maxWorthLength = 100;

/** Takes away brackets that are around the whole text. */
function unwrapped(text: string): string {
  const inner = text.trim();
  return inner.length <= maxWorthLength &&
    closing.get(inner[0] ?? "") === inner.at(-1) &&
    startOfBracket(inner) === 0
    ? unwrapped(inner.slice(1, -1))
    : inner;
}

const plainWorth =
  /^(?:(?<decimal>\d+(?:[.,]\d+)?|[.,]\d+)|(?:(?<whole>\d+) +)?(?<numerator>\d+) ?\/ ?(?<denominator>\d+)) ?(?:marks?|m|points?|pts?|punte?|p)?[.,]?$/i;
/** A worth in brackets between words, or at the end of a part. Expects single spaces: long runs would take minutes. */
const anyWorth =
  /[ )\]][([] ?[\d½¼¾]+(?:[.,]\d+)? ?[½¼¾]? ?(?:marks?|m|points?|pts?|punte?)? ?[)\]]/;
/**
 * What stands for a worth at the end of a part: the ticks of a printed memo, or a worth whose bracket was not opened.
 * Expects single spaces. A match begins at the first tick of a row only: trying each of a long row would take seconds.
 */
const bareWorth = /(?:(?<![✓✔√] ?)[✓✔√]|\s\d+(?:[.,]\d+)?(?: ?marks?)?[)\]])[ ✓✔√]*$/;

const numbers = new Set(
  "one two three four five six seven eight nine ten een twee drie vier vyf ses".split(" "),
);

/** Words that say how many points count, such as “Any two:”, or that the worth is the whole question's: “Total:”. */
const countAtStart =
  /^(?:any|choose|max\.?|maximum|enige|kies|maks\.?)(?: of)? (\d+|[a-z]+)(?:$| *:| (?:of|from|points?|answers?|marks?|correct|van|uit|punte?)\b)/i;
const countAtEnd = /\b(?:any|enige) (\d+|[a-z]+)\.?$/i;
const totalAlone = /^(?:total|totaal) *[:=]?$/i;
function isCount(text: string): boolean {
  const said = [countAtStart, countAtEnd].flatMap((words) => words.exec(text)?.[1] ?? []);
  return (
    said.some((one) => /\d/.test(one) || numbers.has(one.toLowerCase())) || totalAlone.test(text)
  );
}

/** The words and signs of what looks like a worth. */
const worthWords = new Set(
  "✓ # x × * + - − – / = any enige max max. maximum each elk per of or up to at most only for these this a mark marks m point points punt punte half quarter".split(
    " ",
  ),
);
const amounts = /^([#✓]|any|enige|max|max\.|maximum|each|half|quarter)$/;

/** Reads a bracket: a worth in marks, a multiple of 0.25; "none" if it only looks like one; undefined if it is text. */
function readWorth(bracket: string): number | "none" | undefined {
  const text = inAscii(bracket);
  const found = plainWorth.exec(text)?.groups;
  if (found) {
    const { decimal, whole = "0", numerator, denominator } = found;
    const worth =
      decimal === undefined
        ? Number(whole) + Number(numerator) / Number(denominator)
        : Number(decimal.replace(",", "."));
    return worth > 0 && Number.isInteger(worth * 4) ? worth : "none";
  }
  return looksLikeWorth(text) ? "none" : undefined;
}

/** Whether a text has only the words and signs of worths, and an amount: “max 2”, “2 x 1”, “✓✓”. */
function looksLikeWorth(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/\d+([.,]\d+)?/g, " # ")
    .replace(/[✓✔√]/g, " ✓ ")
    .replace(/[×*+=/−–-]/g, " $& ")
    .split(" ")
    .filter(Boolean);
  const isAmount = (word: string) => amounts.test(word) || numbers.has(word);
  return words.every((word) => worthWords.has(word) || isAmount(word)) && words.some(isAmount);
}

/** Replaces digits of Arabic scripts and fractions of one character by ASCII. */
const inAscii = (text: string) =>
  withSingleSpaces(
    text
      .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
      .replace(/٫/g, ".")
      .replace(/[¼-¾⅐-⅞]/g, " $&")
      .normalize("NFKC")
      .replace(/⁄/g, "/"),
  ).trim();

function wholeError(points: PointPart[], totalMarks: number): string | undefined {
  if (points.length > maxPoints) {
    return `A memo has at most ${maxPoints} points; this one has ${points.length}.`;
  }
  const [first, last] = [points[0]!, points.at(-1)!];
  const isWorthOfQuestion =
    points.length > 1 &&
    last.worth === totalMarks &&
    points.every((one) => one === last || one.worth === undefined);
  return isWorthOfQuestion
    ? `“${shortened(last.part)}” alone has a worth, that of the whole question. Type one for each point, such as ${shortened(first.text)} (1).`
    : undefined;
}

const withSingleSpaces = (text: string) => text.replace(/\s+/g, " ");

const shortened = (text: string) =>
  text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
