import { sendRequest } from "./send-request.ts";

/**
 * Parses CSV strictly by RFC 4180, with a byte order mark and a header line; returns one record
 * per line after it.
 * @throws Error if there is no byte order mark, or a line does not end with CRLF or has a different number of cells
 */
export function parseCsv(text: string): Record<string, string>[] {
  if (!text.startsWith("\uFEFF")) throw new Error("There is no byte order mark.");
  const table: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  cell.lastIndex = 1;
  while (cell.lastIndex < text.length) {
    const { lastIndex } = cell;
    const found = cell.exec(text);
    if (!found)
      throw new Error(`No cell at ${lastIndex}: ${text.slice(lastIndex, lastIndex + 40)}`);
    const [, quoted, plain, end] = found;
    line.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === ",") continue;
    table.push(line);
    line = [];
  }
  if (line.length > 0) throw new Error("The last line has no end.");
  const [head, ...lines] = table;
  return lines.map((cells) => {
    if (cells.length !== head!.length) throw new Error(`A line has ${cells.length} cells.`);
    return Object.fromEntries(cells.map((value, index) => [head![index], value]));
  });
}

/** The rows of the CSV file of marks under a link to results. */
export async function marksOf({ url }: { url: string }, token: string, query = "") {
  const { bytes } = await sendRequest(url, `/api/results/${token}/marks${query}`);
  return parseCsv(bytes.toString());
}
