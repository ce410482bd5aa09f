/**
 * The results file as a table to fill in with a spreadsheet program. Five rows describe the test, and one has headings;
 * then each submission has a row, and each question a column for the mark and one for the feedback. A question mark
 * after a mark says that the model is unsure of it. An empty cell keeps what is stored.
 */
import { columnName } from "../domain/column-name.ts";
import { numberOrText } from "./typed-decision.ts";

/** A results file as it may look before it is complete. */
export interface DraftResults {
  title: string;
  questions: {
    questionNumber: string;
    description: string;
    totalMarks: number | null;
    memo: string;
  }[];
  submissions: {
    fileName: string;
    learnerNumber?: string;
    studentName: string;
    feedback?: string;
    questionMarks: DraftMark[];
  }[];
}

interface DraftMark {
  questionNumber: string;
  marksAwarded: number | null;
  feedback?: string;
  unsure?: true;
}

type DraftQuestion = DraftResults["questions"][number];

const labels = ["Title", "Question", "Description", "Out of"] as const;
/** The label of a fifth row, which sheets of older releases do not have. */
const memoLabel = "Memo";
const heads = ["File", "Learner", "Feedback"] as const;
/** The head of a fourth column, which sheets have if a class list has given numbers. */
const numberHead = "Number";

/** The cells of a sheet, row by row. */
export function sheetOf({ title, questions, submissions }: DraftResults): unknown[][] {
  const hasNumbers = submissions.some(({ learnerNumber }) => learnerNumber !== undefined);
  const allHeads = hasNumbers ? [...heads, numberHead] : heads;
  const describe = (label: string, read: (question: DraftQuestion) => unknown) => [
    label,
    ...allHeads.slice(1).map(() => ""),
    ...questions.flatMap((question) => [read(question), ""]),
  ];
  return [
    [labels[0], title],
    describe(labels[1], ({ questionNumber }) => questionNumber),
    describe(labels[2], ({ description }) => description),
    describe(labels[3], ({ totalMarks }) => totalMarks),
    describe(memoLabel, ({ memo }) => memo),
    [...allHeads, ...questions.flatMap(() => ["Mark", "Feedback"])],
    ...submissions.map(({ fileName, learnerNumber, studentName, feedback, questionMarks }) => [
      fileName,
      studentName,
      feedback,
      ...(hasNumbers ? [learnerNumber] : []),
      ...questionMarks.flatMap((mark) => [markCell(mark), mark.feedback]),
    ]),
  ];
}

const markCell = ({ marksAwarded, unsure }: DraftMark) =>
  unsure ? `${marksAwarded ?? ""}?` : marksAwarded;

/**
 * Reads a filled sheet. The result is not validated; `placeOf` turns a path of it into the row and
 * column that it was read from.
 * @returns an error if the rows are not those of a sheet
 */
export function readSheet(
  rows: string[][],
):
  | { error: string; json?: never; placeOf?: never }
  | { error?: never; json: unknown; placeOf: (path: string) => string } {
  const hasMemos = at(rows, labels.length, 0) === memoLabel;
  const firstColumn = [...labels, ...(hasMemos ? [memoLabel] : []), heads[0]];
  const headRow = firstColumn.length - 1;
  const wrong = firstColumn.findIndex((label, row) => at(rows, row, 0) !== label);
  if (wrong !== -1) {
    return {
      error: `row ${wrong + 1}, column A: this cell must be “${firstColumn[wrong]}”, as in the template`,
    };
  }
  const places = new Map([["questions", "row 4"]]);
  const cell: ReadCell = (row, column, ...paths) => {
    for (const path of paths) places.set(path, placeName(row, column));
    return rows[row]?.[column] ?? "";
  };
  const hasNumbers = at(rows, headRow, heads.length) === numberHead;
  const columns = usedColumns(rows, headRow, heads.length + (hasNumbers ? 1 : 0));
  const filled = rows.flatMap((row, index) =>
    index > headRow && row.some(Boolean) ? [index] : [],
  );
  for (const [index, row] of filled.entries()) {
    places.set(`submissions[${index}].questionMarks`, `row ${row + 1}`);
  }
  return {
    json: {
      title: cell(0, 1, "title").trim(),
      questions: columns.map((column, index) =>
        readQuestion(cell, `questions[${index}]`, { column, hasMemos }),
      ),
      submissions: filled.map((row, index) =>
        readSubmission(cell, `submissions[${index}]`, { row, columns, hasNumbers }),
      ),
    },
    placeOf: (path) => places.get(path) ?? path,
  };
}

/** Returns the text of a cell, and records the cell as the place of paths of the results file. */
type ReadCell = (row: number, column: number, ...paths: string[]) => string;

function readQuestion(
  cell: ReadCell,
  path: string,
  { column, hasMemos }: { column: number; hasMemos: boolean },
) {
  return {
    questionNumber: cell(1, column, path, `${path}.questionNumber`).trim(),
    description: cell(2, column, `${path}.description`).trim(),
    totalMarks: numberCell(cell(3, column, `${path}.totalMarks`).trim()),
    ...(hasMemos && { memo: cell(4, column, `${path}.memo`).trim() }),
  };
}

function readSubmission(
  cell: ReadCell,
  path: string,
  { row, columns, hasNumbers }: { row: number; columns: number[]; hasNumbers: boolean },
) {
  return {
    fileName: cell(row, 0, `${path}.fileName`).trim(),
    studentName: cell(row, 1, `${path}.studentName`).trim(),
    feedback: cell(row, 2, `${path}.feedback`),
    ...(hasNumbers && {
      learnerNumber: cell(row, heads.length, `${path}.learnerNumber`).trim(),
    }),
    questionMarks: columns.map((column, question) => {
      const mark = `${path}.questionMarks[${question}]`;
      const typed = cell(row, column, mark, `${mark}.marksAwarded`).trim();
      const isUnsure = typed.endsWith("?");
      return {
        questionNumber: cell(1, column, `${mark}.questionNumber`).trim(),
        marksAwarded: numberCell(isUnsure ? typed.slice(0, -1).trim() : typed) ?? null,
        ...(isUnsure && { unsure: true }),
        feedback: cell(row, column + 1, `${mark}.feedback`),
      };
    }),
  };
}

const at = (rows: string[][], row: number, column: number) => rows[row]?.[column]?.trim() ?? "";

/**
 * The columns of questions that are filled in: a template has more than most tests need. A heading, or text in the row
 * of the title, does not make a column count as filled in.
 */
function usedColumns(rows: string[][], headRow: number, firstQuestionColumn: number): number[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const columns: number[] = [];
  for (let column = firstQuestionColumn; column < width; column += 2) {
    const isUsed = rows.some((row, index) => index > 0 && index !== headRow && row[column]?.trim());
    if (isUsed) columns.push(column);
  }
  return columns;
}

/** The number of a cell, its text if that is no number, or undefined if the cell is empty. */
const numberCell = (text: string): number | string | undefined =>
  text === "" ? undefined : numberOrText(text);

const placeName = (row: number, column: number) => `row ${row + 1}, column ${columnName(column)}`;
