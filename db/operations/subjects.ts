/** Everything that is kept under one address. */
import type Sqlite from "better-sqlite3";
import type { Db } from "../sqlite/open.ts";
import { openForReading } from "../sqlite/open-for-reading.ts";
import { plainAddress } from "./erasure.ts";

type Row = Record<string, unknown>;

export interface Subject {
  references: string[];
  /** Rows by table, under the columns' names in the file; without the bytes of files. */
  rows: Record<string, Row[]>;
}

/** Tables with an address in their column `email`. */
const addressed = ["contact_requests", "rubric_requests", "subscriptions"];

/** What is not for a JSON file. */
const bytesTable = "uploaded_file_bytes";

/**
 * The requests and the subscription of an address, the letters that bear their references, and every row of
 * every table that belongs to one of them, found by the tables' own rules of what is deleted with what.
 */
export async function findSubject(db: Db, address: string): Promise<Subject> {
  const { $client: client } = db;
  const found = new Map<string, Set<number>>();
  for (const table of addressed) {
    addOwned(client, found, table, idsUnder(client, table, address));
  }
  const references = ["contact_requests", "rubric_requests"].flatMap((table) =>
    rowsOf(client, table, found.get(table)).map((row) => String(row.reference)),
  );
  addOwned(
    client,
    found,
    "outbox",
    client
      .prepare<[string], number>(
        "SELECT rowid FROM outbox WHERE reference IN (SELECT value FROM json_each(?))",
      )
      .pluck()
      .all(JSON.stringify(references)),
  );
  found.delete(bytesTable);
  const rows = [...found].map(([table, ids]) => [table, rowsOf(client, table, ids)] as const);
  return { references, rows: Object.fromEntries(rows.filter(([, all]) => all.length > 0)) };
}

/**
 * Whether a database or a backup, of whatever layout, holds a request or a subscription of an address.
 * @throws WrongDatabase
 */
export function holdsSubject(file: string, address: string): boolean {
  const client = openForReading(file);
  try {
    const tables = tablesOf(client);
    return addressed.some(
      (table) => tables.includes(table) && idsUnder(client, table, address).length > 0,
    );
  } finally {
    client.close();
  }
}

/** References of others' requests in whose texts an address stands. */
export async function findMentions(db: Db, address: string): Promise<string[]> {
  return db.$client
    .prepare<[string], string>("SELECT reference FROM inbox WHERE instr(lower(message), ?) > 0")
    .pluck()
    .all(plainAddress(address));
}

function idsUnder(client: Sqlite.Database, table: string, address: string): number[] {
  return client
    .prepare<[string], number>(`SELECT rowid FROM ${table} WHERE lower(trim(email)) = ?`)
    .pluck()
    .all(plainAddress(address));
}

/** Adds rows of a table, and what is deleted with them. */
function addOwned(
  client: Sqlite.Database,
  found: Map<string, Set<number>>,
  table: string,
  ids: number[],
): void {
  const known = found.get(table) ?? new Set();
  found.set(table, known);
  const fresh = ids.filter((id) => !known.has(id));
  if (fresh.length === 0) return;
  for (const id of fresh) known.add(id);
  for (const child of tablesOf(client)) {
    const keys = client.pragma(`foreign_key_list(${child})`) as Record<string, string>[];
    for (const { table: parent, from, to, on_delete: onDelete } of keys) {
      if (parent !== table || onDelete !== "CASCADE") continue;
      const owned = client
        .prepare<[string], number>(
          `SELECT child.rowid FROM ${child} child JOIN ${parent} parent ON child.${from} = parent.${to}
            WHERE parent.rowid IN (SELECT value FROM json_each(?))`,
        )
        .pluck()
        .all(JSON.stringify(fresh));
      addOwned(client, found, child, owned);
    }
  }
}

const tablesOf = (client: Sqlite.Database) =>
  client
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all();

const rowsOf = (client: Sqlite.Database, table: string, ids: Set<number> = new Set()) =>
  client
    .prepare<[string], Row>(
      `SELECT * FROM ${table} WHERE rowid IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify([...ids]));
