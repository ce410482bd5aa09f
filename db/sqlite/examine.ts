/** Examines database files for commands, without changing them, next to a server that may be running. */
import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { getTableName } from "drizzle-orm";
import { normaliseAddress } from "../../app/domain/subscriber.ts";
import { leadName } from "../../app/domain/team.ts";
import { type EmailCounts, emailCountsQuery } from "../engine.ts";
import { codeOf, DatabaseMismatch, isDamaged, isLocked } from "../errors.ts";
import { imports, markingLinks, tablesWithEmail, teamActions } from "../schema.ts";
import { type AnswerStates, answerStatesQuery, countWrongStates } from "../states-check.ts";
import { addonFor } from "./addon.ts";
import { readFrom } from "./existing-file.ts";
import { schemaVersionOf } from "./schema-version.ts";

/**
 * Returns a file's schema version, and the first damage that SQLite's quick_check finds, if any; version 0 if the file
 * is too damaged to be opened. Reads most of the file, which takes long for a large one.
 * @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that the program cannot read
 */
export function examineDatabase(file: string): { schemaVersion: number; damage?: string } {
  try {
    return readFrom(file, (client) => {
      const schemaVersion = schemaVersionOf(client);
      const found = client.pragma("quick_check(1)", { simple: true }) as string;
      return found === "ok"
        ? { schemaVersion }
        : { schemaVersion, damage: found.replace(/\s+/g, " ") };
    });
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { schemaVersion: 0, damage: (error as Error).message };
  }
}

/**
 * Returns the result of `work`; undefined if the database is missing or cannot be read, or if its schema lacks a table
 * or column. Any other error is thrown, so that a bug in a check is not taken for a missing database.
 */
function readIfPossible<Result>(
  file: string,
  work: (client: Sqlite.Database) => Result,
): Result | undefined {
  try {
    return readFrom(file, work);
  } catch (error) {
    if (error instanceof DatabaseMismatch || codeOf(error).startsWith("SQLITE_")) return undefined;
    throw error;
  }
}

/** Counts the pending and failed emails and webhooks in a file's outbox; undefined as for `readIfPossible`. */
export const emailCountsIn = (file: string): EmailCounts | undefined =>
  readIfPossible(file, (client) => client.prepare<[], EmailCounts>(emailCountsQuery).get());

/** Counts the learners with wrong answer states, see states-check.ts; undefined as for `readIfPossible`. */
export const wrongStatesIn = (file: string): number | undefined =>
  readIfPossible(file, (client) =>
    countWrongStates(client.prepare<[], AnswerStates>(answerStatesQuery).iterate()),
  );

/**
 * When data was last deleted by age, and when the newest request was received. Each is undefined if it never happened;
 * both are undefined if the file cannot be read (see `readIfPossible`).
 */
export function pastTimesIn(file: string): {
  newestRequest: Date | undefined;
  lastCleanup: Date | undefined;
} {
  const found = readIfPossible(file, (client) => {
    const read = (query: string) => {
      const time = client.prepare<[], string | null>(query).pluck().get();
      return typeof time === "string" ? new Date(time) : undefined;
    };
    return {
      newestRequest: read("SELECT max(received_at) FROM inbox"),
      lastCleanup: read("SELECT last_cleanup_at FROM clock"),
    };
  });
  return found ?? { newestRequest: undefined, lastCleanup: undefined };
}

/** Whether a server is using the database. */
export async function isInUse(file: string): Promise<boolean> {
  const lockFile = `${file}-lock`;
  if (!existsSync(lockFile)) return false;
  // Do not take the lock: a server that is just starting could not get it, and would fail.
  const lock = new Sqlite(lockFile, {
    nativeBinding: addonFor(file, { isForReading: true }),
    readonly: true,
    timeout: 0,
  });
  try {
    lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    if (!isLocked(error)) throw error;
    return true;
  } finally {
    lock.close();
  }
}

/** The columns with email addresses, and with the names of markers, of leads and of who proposed marks. */
const subjectColumns: [table: string, column: string][] = [
  ...[...tablesWithEmail, markingLinks].map((table): [string, string] => [
    getTableName(table),
    table.email.name,
  ]),
  [getTableName(markingLinks), markingLinks.markerName.name],
  [getTableName(teamActions), teamActions.doneBy.name],
  [getTableName(imports), imports.proposedBy.name],
];

/**
 * Whether a database or a backup contains a request or a subscription of an address, or a marker, a lead or a proposer
 * of that address or name. Tables that the file's schema lacks are left out.
 * @throws DatabaseMismatch
 */
export const containsSubject = (file: string, addressOrName: string): boolean =>
  readFrom(file, (client) => {
    const wanted = normaliseAddress(addressOrName);
    const texts = [wanted, leadName(wanted)];
    const present = client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    // Not compared by SQL: SQLite's lower() leaves capitals beyond ASCII as they are.
    const isFound = (text: string) => texts.includes(normaliseAddress(text));
    return subjectColumns
      .filter(([table]) => present.includes(table))
      .some(([table, column]) =>
        client
          .prepare<[], string>(
            `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`,
          )
          .pluck()
          .all()
          .some(isFound),
      );
  });
