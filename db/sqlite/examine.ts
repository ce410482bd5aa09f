/** Judges a database for whoever looks for faults, without changing it and beside a server that uses it. */
import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { WrongDatabase } from "../errors.ts";
import { nativeBinding } from "./addon.ts";
import { openForReading } from "./open-for-reading.ts";
import { layoutVersion } from "./schema-version.ts";

export interface Examination {
  /** The layout of the file, and the one that this program works with. */
  layout: number;
  currentLayout: number;
  /** What SQLite finds damaged. */
  damage: string | undefined;
  /** Undefined where the layout is another. A given-up letter to an educator has lost its link. */
  letters:
    | { givenUp: number; lostLinks: number; waiting: number; oldestWaiting: string | null }
    | undefined;
}

/**
 * Reads the whole structure of the file, which takes as long as the disk does.
 * @throws WrongDatabase where it is missing, not ours, or a newer program's
 */
export async function examineDatabase(file: string): Promise<Examination> {
  let client: Sqlite.Database | undefined;
  const found: Examination = {
    layout: 0,
    currentLayout: layoutVersion,
    damage: undefined,
    letters: undefined,
  };
  try {
    client = openForReading(file);
    found.layout = client.pragma("user_version", { simple: true }) as number;
    const [row] = client.pragma("quick_check(1)") as { quick_check: string }[];
    if (row!.quick_check !== "ok") found.damage = row!.quick_check.replace(/\s+/g, " ");
    else if (found.layout === layoutVersion) found.letters = lettersIn(client);
    return found;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (error instanceof WrongDatabase || !/^SQLITE_(CORRUPT|NOTADB)/.test(code ?? "")) throw error;
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

function lettersIn(client: Sqlite.Database): Examination["letters"] {
  return client
    .prepare<[], NonNullable<Examination["letters"]>>(
      `SELECT count(*) FILTER (WHERE status = 'given up' AND recipient IS NULL
          AND last_error IS NOT 'discarded') AS givenUp,
        count(*) FILTER (WHERE status = 'given up' AND recipient IS NOT NULL) AS lostLinks,
        count(*) FILTER (WHERE status = 'waiting') AS waiting,
        min(created_at) FILTER (WHERE status = 'waiting') AS oldestWaiting
      FROM outbox`,
    )
    .get();
}
