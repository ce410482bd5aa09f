/** Generates docs/database.md from db/schema.ts: names and types from Drizzle, descriptions from the comments. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { is } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  getTableConfig,
  getViewConfig,
  SQLiteColumn,
  SQLiteTable,
  SQLiteView,
} from "drizzle-orm/sqlite-core";
import { capitalised } from "../app/domain/capitalised.ts";
import { sources as postgresSchema } from "../db/postgres/schema.ts";
import * as schema from "../db/schema.ts";
import { writeOrCompare } from "./write-or-compare.ts";

const root = path.join(import.meta.dirname, "..");
const comments = readComments(readFileSync(path.join(root, "db/schema.ts"), "utf8"));

const postgresSources = new Map(Object.entries(postgresSchema));

const document = `${[
  introduction(),
  "## Views",
  ...Object.entries(schema).flatMap(([name, value]) =>
    is(value, SQLiteView) ? [viewSection(name, value)] : [],
  ),
  "## Tables",
  ...Object.entries(schema).flatMap(([name, value]) =>
    is(value, SQLiteTable) ? [tableSection(name, value)] : [],
  ),
].join("\n\n")}\n`;

writeOrCompare("docs/database.md", document);

function introduction(): string {
  return `# The database

Everything is stored in one SQLite 3 file, \`rubricon.db\` in the data folder. You may open it with
\`sqlite3\`, DB Browser for SQLite or any other program that reads SQLite. Start with the views.

- Reading never blocks visitors. While a program reads, however, the write-ahead log (WAL) next to the file
  (\`rubricon.db-wal\`) cannot be truncated and grows. It is truncated seconds after the reader has finished;
  a form sent in that moment may wait, about two seconds for each gigabyte of growth.
- The file belongs to the account of the server, and no other account may read it (mode 0600). Read it as
  that account or as root, and read-only (\`sqlite3 -readonly\`, or "Open read only" in DB Browser): while another
  program has a write transaction open, forms are rejected with 503 after two seconds, and writing changes
  what was received. If you must write, commit at once, and never leave a program with unsaved changes open.
- Do not copy the file alone while the server runs, because the newest requests are in the WAL. Use
  \`rubricon backup FILE\`.
- Times are ISO 8601 in UTC, as in 2026-11-21T08:30:00.000Z, and sort as text. Pages, emails and
  lists of commands show South African time; in SQL: \`datetime(received_at, '+2 hours')\`. Booleans are 1 and 0.
- Typed texts are stored without invisible characters and without spaces at their ends: that is what \`cleanText\`,
  \`readName\` and \`readComment\` return.
- Several servers share a PostgreSQL database instead (see [scaling.md](scaling.md)). It has the same tables and views; a
  column below names the type there where it differs. Its \`uploaded_file_bytes\` has a row for each 256 KiB, in the
  order of \`part\`.
- The header's \`application_id\` is 0x52756272 ("Rubr"). Its \`user_version\` is the schema version.

Questions that the views answer, for example with
\`rubricon-admin\`'s account: \`runuser -u rubricon -- sqlite3 -readonly -box /var/lib/rubricon/rubricon.db\`

\`\`\`sql
-- The last ten requests, and whether the team has been told
SELECT reference, datetime(received_at, '+2 hours') AS received, form, name, files, email_status FROM inbox LIMIT 10;
-- Requests for each week and form
SELECT strftime('%Y-%W', received_at) AS week, form, count(*) FROM inbox WHERE spam IS NULL AND NOT is_test GROUP BY 1, 2;
-- The marks of a request
SELECT learner, grade FROM marks WHERE reference = 'ABCD-EFGH-JKMN' ORDER BY learner;
-- One file, byte for byte
SELECT writefile(file_name, bytes) FROM files_received JOIN uploaded_file_bytes USING (file_id) WHERE reference = 'ABCD-EFGH-JKMN';
-- Emails that have not been sent, and why
SELECT reference, status, attempts, next_attempt_at, last_error FROM emails WHERE status IN ('pending', 'failed');
\`\`\`

This page is generated from \`db/schema.ts\` by \`npm run check -- --write\`.`;
}

function viewSection(name: string, view: SQLiteView): string {
  const { name: title, selectedFields } = getViewConfig(view);
  return section(
    title,
    describe(name),
    Object.entries(selectedFields).map(([key, column]) => ({
      column: column as SQLiteColumn,
      postgresType: postgresTypeOf(name, column as SQLiteColumn),
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
      const cascade = key.onDelete === "cascade" ? ", deleted with it" : "";
      return [[columns[0]!.name, `refers to ${target}${cascade}`]];
    }),
  );
  const columns = Object.entries(table).filter(([, column]) => is(column, SQLiteColumn));
  return section(
    title,
    describe(name),
    (columns as [string, SQLiteColumn][]).map(([key, column]) => ({
      column,
      postgresType: postgresTypeOf(name, column),
      notes: [
        column.primary ? "primary key" : "",
        column.isUnique ? "unique" : "",
        references.get(column.name) ?? "",
        column.enumValues?.length ? `one of: ${column.enumValues.join(", ")}` : "",
      ].filter(Boolean),
      about: references.has(column.name) ? (commentOf(name, key) ?? "") : describe(name, key),
    })),
  );
}

/** The type of a column in PostgreSQL. There, the columns of tables and views have their SQL names as keys. */
function postgresTypeOf(name: string, column: SQLiteColumn): string {
  const columns = postgresSources.get(name) as unknown as Record<string, PgColumn>;
  return columns[column.name]!.getSQLType();
}

interface Row {
  column: SQLiteColumn;
  postgresType: string;
  notes: string[];
  about: string;
}

function section(title: string, about: string, rows: Row[]): string {
  const lines = rows.map(({ column, postgresType, notes, about }) => {
    const isNullable = !column.notNull && !column.primary;
    const type = [column.getSQLType(), isNullable ? "or null" : ""].filter(Boolean).join(" ");
    const other = postgresType === column.getSQLType() ? "" : postgresType;
    const text = describedBy(about, notes.join("; "));
    return `| \`${column.name}\` | ${type} | ${other} | ${text.replaceAll("|", "\\|")} |`;
  });
  return [
    `### ${title}`,
    "",
    about,
    "",
    "| column | type | in PostgreSQL | |",
    "| --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function describedBy(comment: string, notes: string): string {
  if (notes === "") return comment;
  return comment === "" ? `${capitalised(notes)}.` : `${comment} (${notes})`;
}

/** Returns the comment of a column, or else of the shared columns or the helper function that it comes from. */
function commentOf(name: string, key: string): string | undefined {
  return (
    comments.get(`${name}.${key}`) ??
    comments.get(`${name}Columns.${key}`) ??
    comments.get(`requestColumns.${key}`) ??
    comments.get(key)
  );
}

/** Returns the comment of a table, a view or a column. @throws Error if there is none */
function describe(name: string, key?: string): string {
  const found = key === undefined ? comments.get(name) : commentOf(name, key);
  if (!found) throw new Error(`db/schema.ts has no comment at ${name}${key ? `, ${key}` : ""}`);
  return found;
}

/** Returns the comments by the TypeScript name that they precede: "table" or "table.column". */
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
