/** Spreadsheets put an apostrophe in front of what could be a formula, and so do our own exports. */
const apostrophe = /(^|[;\t\r\n])([\s"]*)'(?=[\s]*[=+\-@＝＋－＠])/gu;

/**
 * Reads the cells of a CSV file as spreadsheet programs write it: separated by comma, semicolon or
 * tab, whichever occurs first outside quotes, with any line end.
 */
export function readCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, "");
  let separator: string | undefined;
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let index = 0; index < plain.length; index += 1) {
    const sign = plain[index]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (plain[index + 1] !== '"') isQuoted = false;
      else {
        cell += '"';
        index += 1;
      }
      continue;
    }
    if (sign === '"' && cell === "") {
      isQuoted = true;
      continue;
    }
    if (separator === undefined && /[,;\t\r\n]/.test(sign)) {
      separator = /[\r\n]/.test(sign) ? "," : sign;
    }
    if (sign === separator || sign === "\n" || sign === "\r") {
      rows.at(-1)!.push(cell.replace(apostrophe, "$1$2"));
      cell = "";
      if (sign === "\r" && plain[index + 1] === "\n") index += 1;
      if (sign !== separator) rows.push([]);
    } else cell += sign;
  }
  rows.at(-1)!.push(cell.replace(apostrophe, "$1$2"));
  return rows;
}
