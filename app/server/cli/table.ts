import type { Command } from "commander";
import { CommandFailed, exitCodes } from "./exit.ts";
import { print, printable } from "./print.ts";

export interface ListOptions {
  json?: true;
  since?: string;
  limit?: string;
}

/** Adds the flags that every list has. */
export const addListFlags = (command: Command): Command =>
  command
    .option(
      "--since <date>",
      "only those since a day (2026-11-22) or a time (2026-11-22T08:00+02:00)",
    )
    .option("--limit <number>", "only this many, the newest")
    .option("--json", "print JSON");

/**
 * Returns the items that the flags of a list choose.
 * @param items newest first
 */
export function choose<Item>(
  items: Item[],
  timeOf: (item: Item) => string,
  { since, limit = "999999999" }: ListOptions,
): Item[] {
  if (!/^\d{1,9}$/.test(limit)) {
    throw new CommandFailed(`--limit takes a number, not ${limit}.`, exitCodes.usage);
  }
  const from = since === undefined ? 0 : timeIn(since);
  return items.filter((item) => Date.parse(timeOf(item)) >= from).slice(0, Number(limit));
}

/** A day begins at midnight here; so is a time without a zone. */
function timeIn(typed: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(typed);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(typed);
  const time = isDay || isTime ? Date.parse(isDay ? `${typed}T00:00` : typed) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CommandFailed(
    `--since takes a day such as 2026-11-22 or a time such as 2026-11-22T08:00, not ${typed}.`,
    exitCodes.usage,
  );
}

type Cell = string | number | null;

/** Prints a header and aligned columns for people; nothing if there are no rows. */
export function printTable(header: string[], rows: Cell[][]): void {
  if (rows.length === 0) return;
  const table = [header, ...rows].map((row) =>
    row.map((cell) => printable(String(cell ?? "") || "-")),
  );
  const widths = header.map((_, column) =>
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
