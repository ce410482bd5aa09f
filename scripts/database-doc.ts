/**
 * Writes docs/database.md from db/schema.ts: names and types as Drizzle knows them, descriptions from the
 * comments. Without --write it only compares, and fails where the document is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { is } from "drizzle-orm";
import {
  getTableConfig,
  getViewConfig,
  SQLiteColumn,
  SQLiteTable,
  SQLiteView,
} from "drizzle-orm/sqlite-core";
import * as schema from "../db/schema.ts";

const root = path.join(import.meta.dirname, "..");
const output = path.join(root, "docs/database.md");
const comments = readComments(readFileSync(path.join(root, "db/schema.ts"), "utf8"));

const document = `${[
  introduction(),
  "## Views: for reading",
  ...Object.entries(schema).flatMap(([name, value]) =>
    is(value, SQLiteView) ? [viewSection(name, value)] : [],
  ),
  "## Tables: what is stored",
  ...Object.entries(schema).flatMap(([name, value]) =>
    is(value, SQLiteTable) ? [tableSection(name, value)] : [],
  ),
].join("\n\n")}\n`;

if (process.argv.includes("--write")) {
  writeFileSync(output, document);
} else if (!existsSync(output) || readFileSync(output, "utf8") !== document) {
  process.stderr.write(
    "docs/database.md does not tell of db/schema.ts as it is: npm run check -- --write\n",
  );
  process.exitCode = 1;
}

function introduction(): string {
  return `# The database

Everything is in one SQLite 3 file, \`rubricon.db\` in the data folder, and the file is meant to be opened:
with \`sqlite3\`, DB Browser for SQLite, or anything else that reads SQLite. The views are made for that.

- While somebody reads, no visitor is held up, however long it takes. But the log beside the file
  (\`rubricon.db-wal\`) cannot be cleared and grows. Seconds after, it is cleared and its room on the disk given
  back; whoever sends something in between may wait, about two seconds for each gigabyte that it has grown.
- The file belongs to the account that the program runs under and nobody else may read it (mode 0600). Read
  as that account or as root, and read only (\`sqlite3 -readonly\`): who writes while the program serves can
  make visitors wait, and changes what was received.
- Never copy the file by itself while the program runs, since the newest requests are in the log: use
  \`rubricon backup FILE\`.
- Times are ISO 8601 in UTC, as in 2026-11-21T08:30:00.000Z; they sort as text. Yes and no are 1 and 0.
- The header's \`application_id\` is 0x52756272 ("Rubr"), and \`user_version\` counts the layout's migrations.

This page is written from \`db/schema.ts\` by \`npm run check -- --write\`.`;
}

function viewSection(name: string, view: SQLiteView): string {
  const { name: title, selectedFields } = getViewConfig(view);
  return section(
    title,
    describe(name),
    Object.entries(selectedFields).map(([key, column]) => ({
      column: column as SQLiteColumn,
      notes: [],
      about: describe(name, key),
    })),
  );
}

function tableSection(name: string, table: SQLiteTable): string {
  const { name: title, foreignKeys } = getTableConfig(table);
  const references = new Map(
    foreignKeys.flatMap((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference();
      const target = `${getTableConfig(foreignTable).name}.${foreignColumns[0]!.name}`;
      const gone = key.onDelete === "cascade" ? ", deleted with it" : "";
      return [[columns[0]!.name, `refers to ${target}${gone}`]];
    }),
  );
  const columns = Object.entries(table).filter(([, column]) => is(column, SQLiteColumn));
  return section(
    title,
    describe(name),
    (columns as [string, SQLiteColumn][]).map(([key, column]) => ({
      column,
      notes: [
        column.primary ? "primary key" : "",
        column.isUnique ? "unique" : "",
        references.get(column.name) ?? "",
        column.enumValues?.length ? `one of: ${column.enumValues.join(", ")}` : "",
      ].filter(Boolean),
      about: describe(name, key),
    })),
  );
}

interface Row {
  column: SQLiteColumn;
  notes: string[];
  about: string;
}

function section(title: string, about: string, rows: Row[]): string {
  const lines = rows.map(({ column, notes, about }) => {
    const isEmptyable = !column.notNull && !column.primary;
    const type = [column.getSQLType(), isEmptyable ? "or null" : ""].filter(Boolean).join(" ");
    const text = [about, notes.length > 0 ? `(${notes.join("; ")})` : ""].filter(Boolean).join(" ");
    return `| \`${column.name}\` | ${type} | ${text.replaceAll("|", "\\|")} |`;
  });
  return [
    `### ${title}`,
    "",
    about,
    "",
    "| column | type | |",
    "| --- | --- | --- |",
    ...lines,
  ].join("\n");
}

/** A column's own comment, or that of the function which makes columns of its name everywhere. */
function describe(name: string, key?: string): string {
  const found =
    key === undefined
      ? comments.get(name)
      : (comments.get(`${name}.${key}`) ??
        comments.get(`requestColumns.${key}`) ??
        comments.get(key));
  if (!found) throw new Error(`db/schema.ts has no comment at ${name}${key ? `, ${key}` : ""}`);
  return found;
}

/** Comments by what stands behind them: "table" or "table.column", by their names in TypeScript. */
function readComments(source: string): Map<string, string> {
  const found = new Map<string, string>();
  let declared = "";
  const pattern =
    /(?:\/\*\*(?<comment>(?:(?!\*\/).)*)\*\/\s*)?(?:^(?:export )?const (?<name>\w+) = |^ +(?<key>\w+): )/gms;
  for (const { groups } of source.matchAll(pattern)) {
    const { comment, name, key } = groups!;
    if (name) declared = name;
    const text = comment
      ?.replaceAll(/^\s*\* ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    if (text) found.set(name ?? `${declared}.${key}`, text);
  }
  return found;
}
