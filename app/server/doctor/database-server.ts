import { DatabaseMismatch, Unavailable } from "#db/errors.ts";
import { parseAddress } from "#db/postgres/address.ts";
import { examineServer, type ServerExamination } from "#db/postgres/examine.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { outboxFindings } from "./mail.ts";

/** The oldest version that its project still maintains, and that the tests have run on. */
const minVersion = 15;
/** Leases are by the database's clock; receipts and retention are by this machine's. */
const maxOffsetMs = 5000;
/** A table of PostgreSQL takes 32 TB. */
const maxBytes = 20e12;

/** Checks a PostgreSQL database and the server that holds it. */
export async function checkDatabaseServer(settings: Settings, now: Date): Promise<Finding[]> {
  const { databaseUrl } = settings;
  try {
    const found = await examineServer(parseAddress(databaseUrl!));
    const emails = found.emails ? outboxFindings(found.emails, settings, now) : [];
    return [...checkSchema(found), ...checkServer(found), ...checkRoom(found, settings), ...emails];
  } catch (error) {
    if (!(error instanceof DatabaseMismatch || error instanceof Unavailable)) throw error;
    const remedy = `check that it runs and that ${variableOf("DATABASE_URL")} has its hosts, user, password and database`;
    return [fail("database", error.message, remedy)];
  }
}

function checkSchema(found: ServerExamination): Finding[] {
  const { engine, tls, encoding, schemaVersion, currentSchemaVersion } = found;
  const findings: Finding[] = [];
  if (schemaVersion > currentSchemaVersion) {
    const text = `schema version ${schemaVersion}; this program uses ${currentSchemaVersion}`;
    findings.push(fail("database", text, "install the newer version of the program again"));
  } else if (schemaVersion < currentSchemaVersion) {
    const text = `schema version ${schemaVersion}; this program uses ${currentSchemaVersion}`;
    findings.push(warn("database", text, "start a server once: it migrates the database"));
  }
  if (encoding !== "UTF8") {
    const remedy = "create the database with ENCODING 'UTF8', and copy the data";
    findings.push(fail("database", `its encoding is ${encoding}`, remedy));
  }
  if (findings.length > 0) return findings;
  return [ok("database", `${engine}, ${tls ?? "on this machine without TLS"}, schema current`)];
}

function checkServer(found: ServerExamination): Finding[] {
  const { engine, majorVersion, unsafeSettings, hasSynchronousStandby, clockOffsetMs } = found;
  const findings: Finding[] = [];
  if (majorVersion < minVersion) {
    const remedy = `use PostgreSQL ${minVersion} or later; ${program.command} has not been tested with this one`;
    findings.push(warn("database", `the server is ${engine}`, remedy));
  }
  for (const setting of unsafeSettings) {
    const remedy = "set it to on: a crash can lose requests that visitors were thanked for";
    findings.push(fail("durability", setting, remedy));
  }
  if (!hasSynchronousStandby) {
    const text =
      hasSynchronousStandby === undefined
        ? "whether there is a synchronous standby is not known"
        : "no synchronous standby: when the server is lost, so are its newest requests";
    const remedy =
      "set synchronous_standby_names, or synchronous_mode in Patroni; nothing if the storage is replicated (grant pg_monitor to see it)";
    findings.push(warn("durability", text, remedy));
  } else if (unsafeSettings.length === 0) findings.push(ok("durability", "a synchronous standby"));
  if (Math.abs(clockOffsetMs) > maxOffsetMs) {
    const text = `the database's clock differs by ${Math.round(clockOffsetMs / 1000)} seconds`;
    findings.push(fail("clock", text, "set both clocks by NTP (timedatectl set-ntp true)"));
  }
  return findings;
}

function checkRoom(
  { maxConnections, bytes }: ServerExamination,
  { databaseConnections }: Settings,
): Finding[] {
  const servers = Math.floor(maxConnections / databaseConnections);
  const text = `${maxConnections} connections are enough for ${servers} servers with ${databaseConnections} each`;
  const connections =
    // One is left while a server is replaced.
    servers < 3
      ? warn(
          "connections",
          text,
          `raise max_connections, or lower ${variableOf("DATABASE_CONNECTIONS")}`,
        )
      : ok("connections", text);
  if (bytes < maxBytes) return [connections];
  const size = `${(bytes / 1e12).toFixed(1)} TB; PostgreSQL keeps at most 32 TB in a table`;
  return [connections, warn("size", size, `lower ${variableOf("RETENTION_DAYS")}`)];
}
