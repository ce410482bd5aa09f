import { XMLParser } from "fast-xml-parser";

type Value = number | string | null;

interface CellXml {
  r: string;
  v?: number;
  f?: string;
  is?: { t: { "#text": string } | string };
}

/** Reads a worksheet of an .xlsx file and calculates its formulas, as far as ours go. */
export class Worksheet {
  readonly #cells = new Map<string, CellXml>();

  constructor(xml: string) {
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: "",
      isArray: (name) => name === "row" || name === "c",
      parseTagValue: false,
    });
    const { worksheet } = parser.parse(xml) as {
      worksheet: { sheetData: { row: { c: CellXml[] }[] } };
    };
    for (const { c } of worksheet.sheetData.row)
      for (const cell of c) this.#cells.set(cell.r, cell);
  }

  /** Writes a number into a cell, as a person would. */
  set(address: string, value: number): void {
    this.#cells.set(address, { r: address, v: value });
  }

  valueOf(address: string): Value {
    const { v, f, is } = this.#cells.get(address) ?? { r: address };
    if (f !== undefined) return this.#calculate(f);
    if (is !== undefined) return typeof is.t === "string" ? is.t : is.t["#text"];
    return v === undefined ? null : Number(v);
  }

  /** Returns the value in the row that begins with `label`, under the heading `column`. */
  figure(label: string, column: string): Value {
    const all = [...this.#cells.keys()];
    const row = all.find((address) => this.valueOf(address) === label);
    const heading = all.find((address) => this.valueOf(address) === column);
    if (!row || !heading) throw new Error(`${label}, ${column}: not in the sheet`);
    return this.valueOf(heading.replace(/\d+/, "") + row.replace(/\D+/, ""));
  }

  #range(from: string, to: string): Value[] {
    const [column, first] = [from.replace(/\d+/, ""), Number(from.replace(/\D+/, ""))];
    const last = Number(to.replace(/\D+/, ""));
    return Array.from({ length: last - first + 1 }, (_, row) =>
      this.valueOf(column + (first + row)),
    );
  }

  #calculate(formula: string): Value {
    const code = formula
      .replaceAll("$", "")
      .replaceAll("_xlfn.VAR.P", "VARP")
      .split(/("[^"]*")/)
      .map((part, index) =>
        index % 2 === 1
          ? part
          : part
              .replace(/\b([A-Z]+\d+):([A-Z]+\d+)\b|\b([A-Z]+\d+)\b(?!\()/g, (_, from, to, cell) =>
                cell ? `cell("${cell}")` : `range("${from}","${to}")`,
              )
              .replaceAll("^", "**")
              .replace(/(?<![<>])=/g, "==="),
      )
      .join("");
    const names = Object.keys(functions);
    const run = new Function("cell", "range", ...names, `return ${code}`) as (
      ...values: unknown[]
    ) => Value;
    return run(
      (address: string) => this.valueOf(address),
      (from: string, to: string) => this.#range(from, to),
      ...Object.values(functions),
    );
  }
}

const numbers = (values: unknown[]) =>
  values.flat().filter((value): value is number => typeof value === "number");
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]) => sum(values) / values.length;

const meets = (value: number, criterion: string | number) => {
  const [, sign = "", text] = /^([<>]=?)?(.*)$/.exec(String(criterion))!;
  const limit = Number(text);
  if (sign === "") return value === limit;
  return sign.startsWith(">")
    ? value > limit || (sign === ">=" && value === limit)
    : value < limit || (sign === "<=" && value === limit);
};

/** As the functions of Excel, which ignore empty cells and texts in ranges. */
const functions = {
  IF: (condition: boolean, yes: Value, no: Value) => (condition ? yes : no),
  OR: (...values: boolean[]) => values.some(Boolean),
  COUNT: (...values: unknown[]) => numbers(values).length,
  COUNTIF: (range: Value[], criterion: string | number) =>
    numbers(range).filter((value) => meets(value, criterion)).length,
  COUNTIFS: (...pairs: unknown[]) => {
    const [range, low, again, high] = pairs as [Value[], string, Value[], string];
    return range.filter(
      (value, row) =>
        typeof value === "number" && meets(value, low) && meets(again[row] as number, high),
    ).length;
  },
  SUMIF: (range: Value[], criterion: string) =>
    sum(numbers(range).filter((value) => meets(value, criterion))),
  SUMXMY2: (first: Value[], second: Value[]) =>
    sum(
      first.map((value, row) => {
        const other = second[row];
        return typeof value === "number" && typeof other === "number" ? (value - other) ** 2 : 0;
      }),
    ),
  VARP: (range: Value[]) => {
    const values = numbers(range);
    return mean(values.map((value) => (value - mean(values)) ** 2));
  },
  AVERAGE: (range: Value[]) => mean(numbers(range)),
  MAX: (...values: unknown[]) => Math.max(...numbers(values)),
  MIN: (...values: unknown[]) => Math.min(...numbers(values)),
  SQRT: Math.sqrt,
};
