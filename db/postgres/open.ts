import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { DatabaseMismatch, Unavailable } from "../errors.ts";
import { type DatabaseAddress, describeAddress } from "./address.ts";
import { type Connected, using } from "./hosts.ts";
import { Database } from "./postgres-database.ts";
import { checkSchemaVersion, copyHolder, migrate, readSchemaVersion } from "./schema-migration.ts";
import { currentSchemaVersion } from "./schema-version.ts";

/** How long to wait, at most, for a database that is just starting or fails over. */
const maxWaitMs = 10_000;

/**
 * Opens the database for a server, and migrates its schema.
 * @param onMigrated called with a sentence for the log if an older schema was migrated
 * @throws DatabaseMismatch, Unavailable
 */
export async function openDatabase(
  address: DatabaseAddress,
  maxConnections: number,
  onMigrated: (note: string) => void = () => {},
): Promise<Database> {
  const { database } = await open(address, maxConnections, async (client) => {
    const from = await migrate(client);
    await checkCopied(client);
    // These leases were left behind by servers that have stopped.
    await client.query("DELETE FROM leases WHERE held_until < now() - interval '1 day'");
    if (from === undefined || from === 0) return;
    onMigrated(
      `migrated the database from schema version ${from} to ${currentSchemaVersion}; no copy was made`,
    );
  });
  return database;
}

/**
 * Opens the database for a command. Servers may be running.
 * @throws Unavailable; DatabaseMismatch if the URL is wrong, or the database has no schema, an older or newer schema,
 * or an incomplete copy
 */
export async function openExistingDatabase(address: DatabaseAddress): Promise<Database> {
  const { database } = await open(address, 2, async (client) => {
    checkVersionIsCurrent((await readSchemaVersion(client)) ?? 0, address);
    await checkCopied(client);
  });
  return database;
}

/** @throws DatabaseMismatch if this schema version is older or newer than the program's */
export function checkVersionIsCurrent(version: number, address: DatabaseAddress): void {
  checkSchemaVersion(version);
  if (version === currentSchemaVersion) return;
  throw new DatabaseMismatch(
    `The database ${describeAddress(address)} has schema version ${version}, this program's is ${currentSchemaVersion}. Start a server once to migrate it.`,
  );
}

/** Runs `work` on a connection that is closed afterwards. @throws DatabaseMismatch, Unavailable */
export async function connectOnce<Result>(
  address: DatabaseAddress,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const { database, result } = await open(address, 1, work);
  await database.close();
  return result;
}

/** Opens the database, and runs `work` on its first connection. */
async function open<Result>(
  address: DatabaseAddress,
  maxConnections: number,
  work: (client: PoolClient) => Promise<Result>,
): Promise<{ database: Database; result: Result }> {
  const database = new Database(address, maxConnections);
  try {
    return { database, result: await using(await connect(database, address), work) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function connect(database: Database, address: DatabaseAddress): Promise<Connected> {
  const end = performance.now() + maxWaitMs;
  for (;;) {
    try {
      return await database.connect();
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      const place = `The database ${describeAddress(address)} cannot be used`;
      if (isUntrusted(code)) {
        throw new DatabaseMismatch(
          `${place}: its certificate is not trusted (${code}). Name the authority that signed it with sslrootcert=FILE in the URL.`,
        );
      }
      const text = `${place}: ${message || code}.`;
      if (isWrongUrl(code)) throw new DatabaseMismatch(text);
      if (performance.now() > end) throw new Unavailable(text);
      await sleep(500);
    }
  }
}

const isUntrusted = (code: string) => /^(CERT_|SELF_SIGNED|DEPTH_|UNABLE_TO|ERR_TLS)/.test(code);

/** Whether the server rejects the password, the user or the database. */
const isWrongUrl = (code: string) => /^(28|3D)/.test(code);

/** @throws DatabaseMismatch if the copying of data into the database was interrupted */
async function checkCopied(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ holder: string | null }>(
    "SELECT holder FROM schema_version WHERE id = 1",
  );
  if (rows[0]!.holder === copyHolder) {
    throw new DatabaseMismatch(
      "The database is an incomplete copy. Drop it, create it again, and repeat the command database copy.",
    );
  }
}
