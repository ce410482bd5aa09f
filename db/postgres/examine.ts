/** Examines a database for `doctor`, without changing it, beside servers that may be running. */
import { TLSSocket } from "node:tls";
import { type ClientBase, DatabaseError } from "pg";
import { type EmailCounts, emailCountsQuery } from "../engine.ts";
import { type AnswerStates, answerStatesQuery, countWrongStates } from "../states-check.ts";
import type { DatabaseAddress } from "./address.ts";
import { socketOf } from "./hosts.ts";
import { connectOnce } from "./open.ts";
import { readSchemaVersion } from "./schema-migration.ts";
import { currentSchemaVersion } from "./schema-version.ts";
import { columnTypes } from "./tx.ts";

export interface ServerExamination {
  /** For example "PostgreSQL 18.4". */
  engine: string;
  /** For example 18; 0 for another engine that speaks PostgreSQL's protocol. */
  majorVersion: number;
  /** For example TLSv1.3; undefined without TLS. */
  tls: string | undefined;
  encoding: string;
  /** The schema version of the database; 0 if it has no schema. */
  schemaVersion: number;
  currentSchemaVersion: number;
  /** Names of settings with which a confirmed commit can be lost. */
  unsafeSettings: string[];
  /** Undefined if this account may not see the standbys. */
  hasSynchronousStandby: boolean | undefined;
  /** The database's clock minus this machine's. */
  clockOffsetMs: number;
  maxConnections: number;
  bytes: number;
  /** Undefined if the schema is not the current one. */
  emails: EmailCounts | undefined;
  /** Learners with wrong answer states, see states-check.ts; undefined if the schema is not the current one. */
  wrongStates: number | undefined;
}

/** @throws DatabaseMismatch, Unavailable */
export const examineServer = (address: DatabaseAddress): Promise<ServerExamination> =>
  connectOnce(address, async (client) => {
    const version = await readText(client, "SELECT version()");
    const [engine = version, major] = /^PostgreSQL (\d+)(\.\d+)?/.exec(version) ?? [];
    const schemaVersion = (await readSchemaVersion(client)) ?? 0;
    const isCurrent = schemaVersion === currentSchemaVersion;
    const socket = socketOf(client);
    return {
      engine,
      majorVersion: Number(major ?? 0),
      tls: socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined,
      encoding: await readText(client, "SHOW server_encoding"),
      schemaVersion,
      currentSchemaVersion,
      unsafeSettings: await readUnsafeSettings(client),
      hasSynchronousStandby: await hasSynchronousStandby(client),
      clockOffsetMs: await readClockOffset(client),
      maxConnections: Number(await readText(client, "SHOW max_connections")),
      bytes: Number(await readText(client, "SELECT pg_database_size(current_database())")),
      emails: isCurrent ? await countEmails(client) : undefined,
      wrongStates: isCurrent
        ? countWrongStates((await client.query<AnswerStates>(answerStatesQuery)).rows)
        : undefined,
    };
  });

/** The only value of a query, as text; empty if the server rejects the query, for example as not permitted. */
async function readText(client: ClientBase, query: string): Promise<string> {
  try {
    const { rows } = await client.query({ text: query, rowMode: "array" });
    return String(rows[0]?.[0] ?? "");
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return "";
  }
}

async function readUnsafeSettings(client: ClientBase): Promise<string[]> {
  // An empty value is safe too: another engine lacks the setting.
  const safe: Record<string, RegExp> = {
    fsync: /^(on|)$/,
    full_page_writes: /^(on|)$/,
    // "local" and "remote_write" do not wait for a standby's disk.
    synchronous_commit: /^(on|remote_apply|)$/,
  };
  const unsafe: string[] = [];
  for (const [name, values] of Object.entries(safe)) {
    const value = await readText(client, `SHOW ${name}`);
    if (!values.test(value)) unsafe.push(`${name} = ${value}`);
  }
  return unsafe;
}

/** Undefined if this account may not see the standbys, or the server has no such view. */
async function hasSynchronousStandby(client: ClientBase): Promise<boolean | undefined> {
  try {
    const { rows } = await client.query<{ sync_state: string | null }>(
      "SELECT sync_state FROM pg_stat_replication",
    );
    const states = rows.map((row) => row.sync_state);
    // An account without the role pg_monitor sees rows without values, so the answer is not known.
    if (states.includes(null)) return undefined;
    return states.some((state) => state === "sync" || state === "quorum");
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return undefined;
  }
}

async function readClockOffset(client: ClientBase): Promise<number> {
  const before = Date.now();
  const { rows } = await client.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  return rows[0]!.at.getTime() - (before + Date.now()) / 2;
}

async function countEmails(client: ClientBase): Promise<EmailCounts> {
  const query = { text: emailCountsQuery, types: columnTypes };
  const { rows } = await client.query<EmailCounts>(query);
  return rows[0]!;
}
