/** Where marks belong in a sheet that a school keeps: the column, and the row of each learner. */
import { columnIndex, columnName } from "../domain/column-name.ts";

/** Usual headings over learners' numbers and names, as `words` returns them. */
const numberHeadings = new Set(
  ["learner", "student", "admission", "accession", "exam", "examination", "candidate", "lurits"]
    .flatMap((whose) => ["number", "no", "nr", "id"].map((what) => `${whose} ${what}`))
    .concat("number", "id number", "user name", "username", "sis user id", "sis login id")
    .concat("orgdefinedid", "lurits"),
);
const nameHeadings = new Set(
  ["name", "names", "full name", "name and surname", "surname and name", "learner", "learner name"]
    .concat("learner names", "student", "student name", "surname", "last name", "family name")
    .concat("first name", "first names", "given name", "given names", "forename")
    .concat("naam", "voornaam", "van", "van en naam", "naam en van"),
);

/** The texts of a row's cells. In a workbook, with up to 16,384 cells in a row, those without text are undefined. */
export type SheetRow = readonly (string | undefined)[];

export interface Columns {
  /** The row of the headings. All rows and columns count from 0. */
  headingRow: number;
  heading: string;
  marks: number;
  numbers: number[];
  names: number[];
}

interface Missing {
  /** Why no column was found, as the rest of a sentence that begins with the file. */
  reason: string;
  /** Number of headings in the last row that looks like headings; 0 without such a row. */
  headings: number;
}

/** Which columns are looked for. */
export interface ColumnWishes {
  title: string;
  /** A heading, or the name of a column, in place of the title of the test. */
  column?: string | undefined;
  /** The heading over the learners' numbers or names, if it is not a usual one. */
  learner?: string | undefined;
}

/** How a person names a column, a heading over learners and a sheet, for sentences. */
export type HowToName = Record<"column" | "learner" | "sheet", string>;

export const byFlags: HowToName = {
  column: "with --column",
  learner: "with --learner",
  sheet: "with --sheet",
};

/** How many rows are searched for the headings: names and school years may be above them. */
const maxHeadingRow = 50;

/** Finds the column to fill and the columns of numbers and names, or says what is missing. */
export function findColumns(
  rows: readonly SheetRow[],
  wanted: ColumnWishes,
  howTo = byFlags,
): { columns: Columns; missing?: never } | { missing: Missing; columns?: never } {
  // The wanted heading may be over numbers or over names, so its column counts as both.
  const isHeadingIn = (known: ReadonlySet<string>) => (heading: string) =>
    known.has(words(heading)) ||
    (wanted.learner && headingKey(heading) === headingKey(wanted.learner));
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const candidates = rows.slice(0, maxHeadingRow).flatMap((cells, headingRow) => {
    const headings = Array.from(cells, (cell = "") => cell.trim());
    const numbers = indexesOf(headings, isHeadingIn(numberHeadings));
    const names = indexesOf(headings, isHeadingIn(nameHeadings));
    if (numbers.length + names.length === 0) return [];
    return { headingRow, headings, numbers, names, found: markColumns(headings, wanted, width) };
  });
  const match = candidates.find(({ found }) => found.length === 1);
  if (match) {
    const { headingRow, headings, numbers, names } = match;
    const marks = match.found[0]!;
    const isOther = (column: number) => column !== marks;
    return {
      columns: {
        headingRow,
        marks,
        heading: headings[marks] || columnName(marks),
        numbers: numbers.filter(isOther),
        names: names.filter(isOther),
      },
    };
  }
  return { missing: missingIn(candidates.at(-1), wanted, howTo) };
}

/** @param last the last row that looks like headings, with the columns found for the marks: none, or several */
function missingIn(
  last: { headings: string[]; found: number[] } | undefined,
  { column, title }: ColumnWishes,
  howTo: HowToName,
): Missing {
  const headings = last?.headings.filter(Boolean) ?? [];
  const named = headings.map((heading) => `“${heading}”`).join(", ");
  return {
    headings: headings.length,
    reason:
      headings.length === 0
        ? `has no heading such as “Student number” or “Surname”: name one ${howTo.learner}`
        : `has ${last?.found.length || "no"} columns called “${column ?? title}”; name one of these ${howTo.column}: ${named}`,
  };
}

/**
 * The columns whose heading is the wanted one, or else contains it, such as “Test 1 [50] |664” for “Test 1”. In the
 * second case, a typed column may also be the name of a spreadsheet's column, such as “C”. Names beyond the first empty
 * column do not count, because they may be mistyped headings.
 * @param width number of columns of the sheet
 */
function markColumns(headings: string[], { title, column }: ColumnWishes, width: number): number[] {
  const wanted = headingKey(column ?? title);
  const exact = indexesOf(headings, (heading) => headingKey(heading) === wanted);
  if (exact.length > 0) return exact;
  const containing = indexesOf(headings, (heading) =>
    ` ${words(heading)} `.includes(` ${wanted} `),
  );
  if (!column || !/^[a-z]{1,3}$/i.test(column)) return containing;
  const called = [columnIndex(column)].filter((index) => index <= width);
  return [...new Set([...containing, ...called])];
}

/** What headings are compared by: their words, or all characters of a heading without words, such as “#”. */
const headingKey = (heading: string) => words(heading) || heading.trim();

const indexesOf = <Item>(items: Item[], matches: (item: Item) => unknown) =>
  items.flatMap((item, index) => (matches(item) ? [index] : []));

export interface KnownLearner {
  /** Missing before the marking desk was opened. */
  number?: string;
  /** Whether the number is only the learner's place in the class: then it counts only if the names agree. */
  isPlace: boolean;
  name: string;
}

/** The row of a learner, or why the learner has none. */
type Match =
  | {
      row: number;
      /** Whether the row was found by name, and has another number than the learner. */
      hasOtherNumber: boolean;
    }
  | { reason: string };

interface Row {
  row: number;
  /** Number and name as they are written. */
  text: string;
  numbers: string[];
  /** The words of all names, sorted. */
  names: string[];
}

/**
 * Finds the row of each learner by number, then by name. A learner with several rows gets none, and a row of several
 * learners goes to none of them. `unknown` has the rows with a number or name that belong to no learner.
 */
export function matchRows<Learner extends KnownLearner>(
  sheet: readonly SheetRow[],
  columns: Columns,
  learners: readonly Learner[],
): { matches: { learner: Learner; match: Match }[]; unknown: { row: number; text: string }[] } {
  const body = sheet.flatMap((cells, row) =>
    row > columns.headingRow ? rowOf(cells, row, columns) : [],
  );
  const find = rowFinder(body);
  const candidates = learners.map((learner) => ({ learner, rows: find(learner) }));
  const claims = Map.groupBy(
    candidates.flatMap(({ learner, rows }) => rows.map((row) => ({ row, learner }))),
    ({ row }) => row,
  );
  const matchOf = (learner: Learner, [row, ...others]: Row[]): Match => {
    if (!row) return { reason: "is not in the sheet" };
    const rowNumbers = [row, ...others].map((one) => one.row + 1);
    if (others.length > 0) {
      return { reason: `has ${rowNumbers.length} rows: ${rowNumbers.join(", ")}` };
    }
    const other = claims.get(row)!.find((claim) => claim.learner !== learner);
    if (other) return { reason: `shares row ${rowNumbers[0]} with ${other.learner.name}` };
    return isAnotherName(row.names, learner.name)
      ? { reason: `has the number of row ${rowNumbers[0]}, which is ${row.text}` }
      : { row: row.row, hasOtherNumber: hasOtherNumber(row, learner) };
  };
  return {
    matches: candidates.map(({ learner, rows }) => ({ learner, match: matchOf(learner, rows) })),
    unknown: body.filter((row) => !claims.has(row)).map(({ row, text }) => ({ row, text })),
  };
}

const hasOtherNumber = ({ numbers }: Row, { number, isPlace, name }: KnownLearner) =>
  !isPlace &&
  number !== undefined &&
  numbers.length > 0 &&
  ![number, name].some((one) => numbers.includes(numberKey(one)));

/**
 * Returns a function that finds a learner's rows: those with the number, or with the name in a column of numbers; if
 * there are none, those with the name.
 */
function rowFinder(body: Row[]): (learner: KnownLearner) => Row[] {
  const byNumber = grouped(body, ({ numbers }) => numbers);
  const byName = grouped(body, ({ names }) => [names.join(" ")]);
  return ({ number, isPlace, name }) => {
    const own = byNumber.get(numberKey(number ?? name)) ?? [];
    const found = own
      .filter(({ names }) => !isPlace || sortedWords(name).some((word) => names.includes(word)))
      .concat(byNumber.get(numberKey(name)) ?? []);
    return found.length > 0 ? [...new Set(found)] : (byName.get(sortedWords(name).join(" ")) ?? []);
  };
}

function rowOf(cells: SheetRow, row: number, { numbers, names }: Columns): Row | [] {
  const read = (indexes: number[]) =>
    indexes.map((index) => cells[index]?.trim() ?? "").filter(Boolean);
  const [numberTexts, nameTexts] = [read(numbers), read(names)];
  const text = [...new Set([...numberTexts, ...nameTexts])].join(" ");
  if (text === "") return [];
  return {
    row,
    text,
    numbers: numberTexts.map(numberKey),
    names: sortedWords(nameTexts.join(" ")),
  };
}

/** Groups rows by each of their keys, except the empty key. */
function grouped(rows: Row[], keysOf: (row: Row) => string[]): Map<string, Row[]> {
  const keyed = rows.flatMap((row) => [...new Set(keysOf(row))].map((one) => ({ one, row })));
  const groups = Map.groupBy(keyed, ({ one }) => one);
  groups.delete("");
  return new Map([...groups].map(([one, all]) => [one, all.map(({ row }) => row)]));
}

/** Whether both are names without a word in common; initials say nothing, and a name with digits is a number. */
export function isAnotherName(rowWords: string[], name: string): boolean {
  const known = sortedWords(name).filter((word) => word.length > 1);
  if (rowWords.length === 0 || known.length === 0 || /\d/.test(name)) return false;
  return !known.some((word) => rowWords.includes(word));
}

/** The words of a name, each once, sorted: “Müller, Zoë” has those of “Zoe Muller”. */
export const sortedWords = (text: string) =>
  [...new Set(words(text).split(" "))].filter(Boolean).sort();

/** A number to compare: without leading zeros, which spreadsheets drop. */
const numberKey = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^0+(?=\d+$)/, "");

/** Words only: “Müller, Zoë” is “muller zoe”. */
export const words = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}'’‘`]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
