import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { codeOf, DatabaseMismatch, Unavailable } from "../errors.ts";
import { currentSchemaVersion, migrationsAfter } from "./schema-version.ts";

/** Must outlast any one statement of a migration: the lease is renewed only after each. */
const leaseSeconds = 60;
/** Longer than a lease, which ends even if the server that migrates has died. */
const maxWaitMs = 3 * leaseSeconds * 1000;

/** PostgreSQL's codes for a table that another server creates at the same time. */
const createdMeanwhile = /^(23505|42P07|42710|40001|XX000)$/;

/** Error codes of a statement that an interrupted migration has run already. Distributed engines do not undo it. */
const errorsIfRunBefore: [statement: RegExp, code: RegExp][] = [
  [/^\s*(CREATE|ALTER)/i, /^(42P07|42710|42701)$/],
  [/^\s*(DROP|ALTER)/i, /^(42P01|42703|42704)$/],
];

/** The holder of the schema's lease while copy-in.ts copies a file; it stays if the copy is interrupted. */
export const copyHolder = "copy";

/** The schema version of the database; undefined if it has no schema. */
export async function readSchemaVersion(client: ClientBase): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ version: number }>(
      "SELECT version FROM schema_version WHERE id = 1",
    );
    return rows[0]?.version;
  } catch (error) {
    if (codeOf(error) === "42P01") return undefined;
    throw error;
  }
}

/**
 * Migrates a database to the current schema. One server migrates; others that start meanwhile wait.
 * @returns the version before; undefined if the schema was current
 * @throws DatabaseMismatch if the schema is newer, or a migration fails; Unavailable
 */
export async function migrate(client: ClientBase): Promise<number | undefined> {
  await createVersionTable(client);
  const holder = randomUUID();
  const end = performance.now() + maxWaitMs;
  while (performance.now() < end) {
    const version = (await readSchemaVersion(client))!;
    checkSchemaVersion(version);
    if (version === currentSchemaVersion) return undefined;
    if (await takeLease(client, holder)) {
      const latest = (await readSchemaVersion(client))!;
      if (latest === version) {
        await applyMigrations(client, holder, version);
        return version;
      }
      // Another server, perhaps of a newer program, has migrated before this one got the lease.
      await storeVersion(client, holder, latest);
      continue;
    }
    await sleep(250);
  }
  throw new Unavailable("Another server has been migrating the database for too long.");
}

/** @throws DatabaseMismatch if a newer program has created the schema */
export function checkSchemaVersion(version: number): void {
  if (version > currentSchemaVersion) {
    throw new DatabaseMismatch(
      `The database has schema version ${version}, which a newer version of this program has created; this one uses ${currentSchemaVersion}. Start the newer version.`,
    );
  }
}

async function createVersionTable(client: ClientBase): Promise<void> {
  if ((await readSchemaVersion(client)) !== undefined) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(
        "CREATE TABLE IF NOT EXISTS schema_version (id integer PRIMARY KEY, version integer NOT NULL, holder text, held_until timestamptz, copied_at timestamptz)",
      );
      await client.query(
        "INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING",
      );
      return;
    } catch (error) {
      if (attempt === 20 || !createdMeanwhile.test(codeOf(error))) throw error;
      await sleep(50 * Math.random() * attempt);
    }
  }
}

/** Takes or prolongs the lease of the schema. Returns whether `holder` has it. */
async function takeLease(client: ClientBase, holder: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE schema_version SET holder = $1, held_until = now() + $2 * interval '1 second' WHERE id = 1 AND (holder IS NULL OR holder = $1 OR held_until < now())",
    [holder, leaseSeconds],
  );
  return rowCount === 1;
}

/** Applies the migrations after a version, each statement by itself, then stores the new version. */
async function applyMigrations(client: ClientBase, holder: string, version: number): Promise<void> {
  for (const { name, statements } of migrationsAfter(version)) {
    for (const statement of statements.split("--> statement-breakpoint")) {
      await runUnlessDone(client, name, statement);
      if (!(await takeLease(client, holder))) {
        throw new Unavailable("Another server migrates the database now.");
      }
    }
  }
  await storeVersion(client, holder, currentSchemaVersion);
}

/** Stores the version of the schema, and ends the lease. */
async function storeVersion(client: ClientBase, holder: string, version: number): Promise<void> {
  await client.query(
    "UPDATE schema_version SET version = $1, holder = NULL, held_until = NULL WHERE id = 1 AND holder = $2",
    [version, holder],
  );
}

/** Runs a statement of a migration, which an earlier attempt may have run already. */
async function runUnlessDone(client: ClientBase, name: string, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const isDone = errorsIfRunBefore.some(
      ([kind, code]) => kind.test(statement) && code.test(codeOf(error)),
    );
    if (isDone) return;
    throw new DatabaseMismatch(
      `The database could not be migrated: ${(error as Error).message} (${name}). Start again when the reason is gone: what was done is not repeated.`,
    );
  }
}
