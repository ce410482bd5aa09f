/** A spreadsheet's name of a column: "A" for 0, "AA" for 26. */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

/** The index of a column by its name, in any case: 0 for "A", 26 for "AA". */
export const columnIndex = (name: string): number =>
  [...name.toUpperCase()].reduce((sum, sign) => sum * 26 + sign.charCodeAt(0) - 64, 0) - 1;
