import type { Command } from "commander";
import { zoneOffset } from "../../domain/day.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { wholeNumber } from "./format.ts";
import { type Json, print, printable, printJson } from "./print.ts";

export interface ListOptions extends Json {
  since?: string;
  limit?: number;
}

export const addListFlags = (command: Command): Command =>
  command
    .option(
      "--since <date>",
      "only those since a day (2026-11-22) or a time (2026-11-22T08:00+02:00)",
    )
    .option("--limit <number>", "only this many, the newest", wholeNumber(0, 999_999_999))
    .option("--json", "print JSON");

interface List<Item> {
  /** Newest first. */
  items: Item[];
  timeOf(item: Item): string;
  /** The sentence that is printed if no item is chosen. */
  none: string;
  header: string[];
  cellsOf(item: Item): Cell[];
}

/** Prints the items that the flags choose: as JSON, or for people in aligned columns. */
export function printList<Item>(list: List<Item>, options: ListOptions): void {
  const items = choose(list, options);
  if (options.json) printJson(items);
  else if (items.length === 0) process.stderr.write(`${list.none}\n`);
  else printTable([list.header, ...items.map(list.cellsOf)]);
}

function choose<Item>({ items, timeOf }: List<Item>, { since, limit }: ListOptions): Item[] {
  const from = since === undefined ? 0 : timeIn(since);
  return items.filter((item) => Date.parse(timeOf(item)) >= from).slice(0, limit);
}

/** Reads a day, which begins at midnight, or a time: in the time zone of the lists, unless a time names a zone. */
function timeIn(typed: string): number {
  const [, day, clock = "T00:00", zone = zoneOffset] =
    /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(typed) ?? [];
  const time = Date.parse(`${day}${clock}${zone}`);
  // Date.parse takes 30 February for a day in March.
  const isDay =
    day !== undefined && new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8));
  if (isDay && !Number.isNaN(time)) return time;
  throw new CommandFailed(
    `--since takes a day such as 2026-11-22 or a time such as 2026-11-22T08:00, not ${typed}.`,
    exitCodes.usage,
  );
}

type Cell = string | number | null;

function printTable(rows: Cell[][]): void {
  const table = rows.map((row) => row.map((cell) => printable(String(cell ?? "") || "-")));
  const widths = table[0]!.map((_, column) =>
    table.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  );
  for (const row of table) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    );
  }
}
