/** A sheet that a school keeps, in a file of text or in a workbook. */
import type { SheetRow } from "../../results/mark-column.ts";

/** What is wrong with a file, for a sentence that begins with its name: “is damaged”. */
export class SheetError extends Error {}

/** Sheets larger than a school’s are rejected before they take memory and time. */
export const sheetLimits = {
  fileBytes: 20 * 1_048_576,
  unpackedBytes: 64 * 1_048_576,
  rows: 20_000,
};

export interface SchoolSheet {
  /** Missing in a file of text. */
  name?: string;
  rows: SheetRow[];
  /** Why a cell must stay as it is; undefined if it may be filled. */
  blocked(row: number, column: number): string | undefined;
  /** Whether a column shows the number of a row as a percentage: 0.78 as 78%. */
  percentages(column: number): (row: number) => boolean;
  /** The whole file with the values in a column, by row. All else stays, but a workbook loses formulas' results. */
  fill(column: number, values: ReadonlyMap<number, number | string>): Buffer;
}

export const tooManyRows = () => new SheetError(`has more than ${sheetLimits.rows} rows`);
