import type { StoreThread } from "./server-store.ts";
import type { BackupContent } from "./sqlite/backup-file.ts";
import type { CommandStore } from "./store.ts";

export { makeFolder } from "./make-folder.ts";
export { parseAddress } from "./postgres/address.ts";
export type { ServerExamination } from "./postgres/examine.ts";
export type { StoreThread } from "./server-store.ts";
export type { BackupContent } from "./sqlite/backup-file.ts";
export {
  addBackup,
  type DatabaseCopy,
  listBackups,
  listCopies,
  newestBackup,
  printedBackupPrefix,
} from "./sqlite/backup-folder.ts";

/** Where the data is, as the settings say. */
export interface DatabaseSettings {
  /** The file of the default engine, SQLite. */
  databaseFile: string;
  backups: { folder: string };
  /** The URL of a PostgreSQL database, which several servers may share; undefined for the file. */
  databaseUrl: string | undefined;
  /** Number of connections of this server to the PostgreSQL database. */
  databaseConnections: number;
}

export interface SchemaState {
  /** The schema version of the database; 0 if it has no schema. */
  schemaVersion: number;
  /** The schema version that this program works with. */
  currentSchemaVersion: number;
  /** Names of the migrations that the next start will apply, in order. */
  pending: string[];
}

/** What the outbox has not delivered. */
export interface EmailCounts {
  /** Failed emails to the team. */
  failed: number;
  /** Failed emails to educators about results; the private link in each was deleted. */
  lostLinks: number;
  pending: number;
  /** ISO 8601, UTC. */
  oldestPending: string | null;
  failedWebhooks: number;
  /** ISO 8601, UTC. */
  oldestPendingWebhook: string | null;
  /** Error of the newest pending webhook that a receiver has not accepted; null if there is none. */
  webhookError: string | null;
}

/**
 * A query for EmailCounts, on both engines. Failed emails to others than the team count only if they bring a link to
 * results. A failed acknowledgement loses no request, and the team's page shows which markers have not opened their
 * links.
 */
export const emailCountsQuery = `SELECT
    count(*) FILTER (WHERE status = 'failed' AND kind IN ('request', 'spam report', 'summary', 'signed', 'team action')) AS failed,
    count(*) FILTER (WHERE status = 'failed' AND kind = 'results') AS "lostLinks",
    count(*) FILTER (WHERE status = 'pending' AND kind <> 'webhook') AS pending,
    min(created_at) FILTER (WHERE status = 'pending' AND kind <> 'webhook') AS "oldestPending",
    count(*) FILTER (WHERE status = 'failed' AND kind = 'webhook') AS "failedWebhooks",
    min(created_at) FILTER (WHERE status = 'pending' AND kind = 'webhook') AS "oldestPendingWebhook",
    (SELECT last_error FROM outbox WHERE status = 'pending' AND kind = 'webhook' AND last_error IS NOT NULL ORDER BY id DESC LIMIT 1) AS "webhookError"
  FROM outbox`;

/** What differs between SQLite and PostgreSQL, apart from the operations. */
export interface Engine {
  /** The database, for people: a file, or a name and its hosts. Never a secret. */
  place: string;
  /** The file that holds all data; undefined if a database server holds it. */
  file: string | undefined;
  /** The schema version that this program works with. */
  currentSchemaVersion: number;
  /** Starts the thread in which a server uses the database. */
  startThread(): StoreThread;
  /**
   * @throws Unavailable; DatabaseMismatch if the database is missing, is not this program's, or has an older or newer
   * schema
   */
  openCommandStore(): Promise<CommandStore>;
  /** @throws DatabaseMismatch, Unavailable */
  readSchemaState(): Promise<SchemaState>;
  /**
   * Writes a verified copy into a database file. Servers may be running.
   * @throws DatabaseMismatch, Unavailable; Error if the file exists
   */
  makeBackup(file: string): Promise<BackupContent>;
}

/** Loads and returns the engine that the settings name. */
export async function engineOf(settings: DatabaseSettings): Promise<Engine> {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) return (await import("./sqlite/engine.ts")).sqliteEngine(settings);
  const { postgresEngine } = await import("./postgres/engine.ts");
  return postgresEngine(databaseUrl, settings.databaseConnections);
}

/** Loads the functions for database files, which only commands use. */
export const sqliteFiles = () => import("./sqlite/database-files.ts");
/** Loads the functions for database servers, which only commands use. */
export const postgresServers = () => import("./postgres/database-servers.ts");
