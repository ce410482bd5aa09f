/** Judges a database for whoever looks for faults, without changing it and beside a server that uses it. */
import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { nativeBinding } from "./addon.ts";
import { openForReading } from "./open-for-reading.ts";
import { currentSchemaVersion } from "./schema-version.ts";

export interface Examination {
  /** The layout of the file, and the one that this program works with. */
  schemaVersion: number;
  currentSchemaVersion: number;
  /** What SQLite finds damaged. */
  damage: string | undefined;
  /** Undefined where the layout is another. A given-up letter to an educator has lost its link. */
  emails:
    | { failed: number; lostLinks: number; pending: number; oldestPending: string | null }
    | undefined;
}

/**
 * Reads the whole structure of the file, which takes as long as the disk does.
 * @throws WrongDatabase where it is missing, not ours, or a newer program's
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
    found.schemaVersion = client.pragma("user_version", { simple: true }) as number;
    const [row] = client.pragma("quick_check(1)") as { quick_check: string }[];
    if (row!.quick_check !== "ok") found.damage = row!.quick_check.replace(/\s+/g, " ");
    else if (found.schemaVersion === currentSchemaVersion) found.emails = emailCounts(client);
    return found;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (error instanceof DatabaseMismatch || !/^SQLITE_(CORRUPT|NOTADB)/.test(code ?? ""))
      throw error;
    return { ...found, damage: message };
  } finally {
    client?.close();
  }
}

/** Whether a server works with the database at this moment. */
export async function isInUse(file: string): Promise<boolean> {
  const lockFile = `${file}-lock`;
  if (!existsSync(lockFile)) return false;
  // A mere look: taking the lock could get into the way of a server that is just starting.
  const lock = new Sqlite(lockFile, {
    nativeBinding: nativeBinding(file) as string | undefined,
    readonly: true,
    timeout: 0,
  });
  try {
    lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    if (!/^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? "")) throw error;
    return true;
  } finally {
    lock.close();
  }
}

function emailCounts(client: Sqlite.Database): Examination["emails"] {
  return client
    .prepare<[], NonNullable<Examination["emails"]>>(
      `SELECT count(*) FILTER (WHERE status = 'failed' AND recipient IS NULL
          AND last_error IS NOT 'discarded') AS failed,
        count(*) FILTER (WHERE status = 'failed' AND recipient IS NOT NULL) AS lostLinks,
        count(*) FILTER (WHERE status = 'pending') AS pending,
        min(created_at) FILTER (WHERE status = 'pending') AS oldestPending
      FROM outbox`,
    )
    .get();
}
