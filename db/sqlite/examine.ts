/** Examines a database for `doctor`, without changing it, next to a server that may be running. */
import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type EmailCounts, emailCountsQuery } from "../engine.ts";
import { isDamaged, isLocked } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { checkSchema } from "./check-schema.ts";
import { openForReading } from "./open-for-reading.ts";
import { currentSchemaVersion, schemaVersionOf } from "./schema-version.ts";

interface Examination {
  /** The file's. */
  schemaVersion: number;
  /** The program's. */
  currentSchemaVersion: number;
  /** The first error that SQLite's quick_check reports, if any. */
  damage: string | undefined;
  /** Undefined if the schema is not the current one. */
  emails: EmailCounts | undefined;
}

/**
 * Reads most of the file (quick_check), which takes long for a large one.
 * @throws DatabaseMismatch if it is missing or not this program's, or has a schema that it cannot
 * read
 */
export async function examineDatabase(file: string): Promise<Examination> {
  let client: Sqlite.Database | undefined;
  const found: Examination = {
    schemaVersion: 0,
    currentSchemaVersion,
    damage: undefined,
    emails: undefined,
  };
  try {
    client = openForReading(file);
    checkSchema(client, file);
    found.schemaVersion = schemaVersionOf(client);
    const [row] = client.pragma("quick_check(1)") as { quick_check: string }[];
    if (row!.quick_check !== "ok") found.damage = row!.quick_check.replace(/\s+/g, " ");
    else if (found.schemaVersion === currentSchemaVersion) {
      found.emails = client.prepare<[], EmailCounts>(emailCountsQuery).get();
    }
    return found;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { ...found, damage: (error as Error).message };
  } finally {
    client?.close();
  }
}

/**
 * When data was last deleted by age, and when the newest request was received. Undefined if the database is
 * missing, cannot be read, or has an older schema.
 */
export function pastTimesIn(file: string): {
  newestRequest: Date | undefined;
  lastCleanup: Date | undefined;
} {
  let client: Sqlite.Database | undefined;
  try {
    client = openForReading(file);
    const read = (query: string) => {
      const time = client!.prepare<[], string | null>(query).pluck().get();
      return typeof time === "string" ? new Date(time) : undefined;
    };
    return {
      newestRequest: read("SELECT max(received_at) FROM inbox"),
      lastCleanup: read("SELECT last_cleanup_at FROM clock"),
    };
  } catch {
    return { newestRequest: undefined, lastCleanup: undefined };
  } finally {
    client?.close();
  }
}

/** Whether a server is using the database. */
export async function isInUse(file: string): Promise<boolean> {
  const lockFile = `${file}-lock`;
  if (!existsSync(lockFile)) return false;
  // Do not take the lock: a server that is just starting could not get it, and would fail.
  const lock = new Sqlite(lockFile, {
    nativeBinding: addonFor(file, true),
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
