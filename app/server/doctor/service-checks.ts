/** Checks of the database, its outbox, and the services that the program uses. */
import { existsSync } from "node:fs";
import path from "node:path";
import {
  type EmailCounts,
  listBackups,
  parseAddress,
  postgresServers,
  type ServerExamination,
  sqliteFiles,
} from "#db/engine.ts";
import {
  AccessDenied,
  AddonNotLoaded,
  DatabaseMismatch,
  NewerSchema,
  Unavailable,
  UnusableFile,
  WrongAccount,
} from "#db/store.ts";
import { program } from "../../brand.ts";
import { counted } from "../../domain/counted.ts";
import { hourMs } from "../../domain/duration.ts";
import { variableOf } from "../config/settings-table.ts";
import { operatorCommand } from "../config/sources.ts";
import { openTransport, tlsProblem } from "../email/transport.ts";
import { maxPendingEmailMs } from "../http/readiness-checks.ts";
import { checkScanner } from "../virus-scanner.ts";
import { checkReceiver } from "../webhook/webhook-request.ts";
import type { CheckProblem, Examined, Item, Result } from "./installation-checks.ts";

export async function checkDatabaseFile({ settings }: Examined): Promise<Result> {
  const { databaseFile, backups } = settings;
  const { checkFileHeader, currentSchemaVersion, examineDatabase, isInUse } = await sqliteFiles();
  const [backup] = listBackups(backups.folder);
  const restore = `stop the server and restore the newest good backup: ${operatorCommand} restore ${backup?.file ?? "FILE"}`;
  try {
    const unloadable = await checkAddon(databaseFile);
    if (unloadable) return unloadable;
    if (!checkFileHeader(databaseFile)) {
      if (backup)
        return { fail: `${databaseFile} is missing, but there are backups`, remedy: restore };
      const remedy = `nothing if the server has never run; otherwise set ${variableOf("DATA_DIR")}`;
      return { warn: `${databaseFile} does not exist yet`, remedy };
    }
    const { schemaVersion, damage } = examineDatabase(databaseFile);
    if (damage) return { fail: `${databaseFile} is damaged: ${damage}`, remedy: restore };
    if (schemaVersion < currentSchemaVersion) {
      const found = `${databaseFile} has schema version ${schemaVersion}; this program uses ${currentSchemaVersion}`;
      return { warn: found, remedy: "start the server once: it migrates the database" };
    }
  } catch (error) {
    if (!(error instanceof DatabaseMismatch) || error instanceof AccessDenied) throw error;
    return {
      fail: error instanceof UnusableFile ? error.problem : error.message,
      remedy: mismatchRemedy(error),
    };
  }
  const state = (await isInUse(databaseFile)) ? "in use by a server" : "not in use";
  return `${databaseFile} is intact, ${state}`;
}

function mismatchRemedy(error: DatabaseMismatch): string {
  if (error instanceof WrongAccount) {
    return `run ${program.command}-admin doctor, which runs under that account`;
  }
  return error instanceof NewerSchema
    ? "install the newer version again"
    : `set ${variableOf("DATA_DIR")} to the right folder`;
}

/** Returns why SQLite cannot be loaded; undefined if it can, or if there is no data folder yet. */
async function checkAddon(databaseFile: string): Promise<CheckProblem | undefined> {
  if (!existsSync(path.dirname(databaseFile))) return undefined;
  const { addonFor } = await sqliteFiles();
  try {
    addonFor(databaseFile, { isForReading: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof AddonNotLoaded)) throw error;
    return { fail: error.reason, remedy: error.remedy };
  }
}

/** Checks the outbox of a file. An unreadable database is reported by checkDatabaseFile. */
export async function checkOutboxOfFile(examined: Examined): Promise<Result> {
  const { emailCountsIn } = await sqliteFiles();
  const counts = emailCountsIn(examined.settings.databaseFile);
  return counts && outboxResult(counts, examined);
}

/** Checks the stored states of answers (states-check.ts). An unreadable database is reported by checkDatabaseFile. */
export async function checkMarksOfFile({ settings }: Examined): Promise<Result> {
  const { wrongStatesIn } = await sqliteFiles();
  const wrongStates = wrongStatesIn(settings.databaseFile);
  return wrongStates === undefined ? undefined : marksResult(wrongStates);
}

const marksResult = (wrongStates: number): Item =>
  wrongStates === 0
    ? { ok: "open answers are found", check: "marks" }
    : {
        fail: `open answers of ${counted(wrongStates, "learner")} may not be found on the desk; no mark is lost`,
        remedy: "report it; what finds them is written again with the next mark of each learner",
        check: "marks",
      };

const hoursSince = (time: string | null | undefined, now: Date) =>
  time ? (now.getTime() - Date.parse(time)) / hourMs : 0;

/** Reports emails and webhooks that have failed or been pending too long, and a webhook that the receiver rejected. */
function outboxResult(counts: EmailCounts, { settings, now }: Examined): Item[] {
  const { failed, lostLinks, pending, failedWebhooks } = counts;
  const reason = `see the reason with ${operatorCommand} outbox list`;
  const retry = `${reason}, then run ${operatorCommand} outbox retry or discard`;
  const publish = `${reason}, then run ${operatorCommand} results publish REFERENCE, which creates a new email`;
  const meanwhile = `${reason}; the server sends them while it runs`;
  const maxHours = maxPendingEmailMs / hourMs;
  const hours = hoursSince(counts.oldestPending, now);
  const webhookHours = hoursSince(counts.oldestPendingWebhook, now);
  const areEmailsLate = settings.mail !== undefined && hours > maxHours;
  const isWebhookRejected = settings.webhook !== undefined && counts.webhookError !== null;
  const areWebhooksLate = settings.webhook !== undefined && webhookHours > maxHours;
  const problems = [
    failed > 0 && {
      check: "emails",
      fail: `${failed} failed: the team did not get ${failed === 1 ? "it" : "them"}`,
      remedy: retry,
    },
    lostLinks > 0 && {
      check: "emails",
      fail: `${lostLinks} with ${lostLinks === 1 ? "a link to results failed: the educator was" : "links to results failed: the educators were"} not notified`,
      remedy: publish,
    },
    areEmailsLate && {
      check: "emails",
      fail: `${pending} pending, the oldest for ${Math.round(hours)} hours`,
      remedy: meanwhile,
    },
    failedWebhooks > 0 && {
      check: "webhook",
      fail: `${counted(failedWebhooks, "webhook")} failed: the receiver does not know of these requests`,
      remedy: retry,
    },
    isWebhookRejected && {
      check: "webhook",
      fail: `the newest pending one was not accepted: ${counts.webhookError}`,
      remedy: meanwhile,
    },
    areWebhooksLate && {
      check: "webhook",
      fail: `the oldest has been pending for ${Math.round(webhookHours)} hours`,
      remedy: meanwhile,
    },
  ].filter((problem) => problem !== false);
  return problems.some(({ check }) => check === "emails")
    ? problems
    : [{ ok: `${pending} pending, none failed`, check: "emails" }, ...problems];
}

/** Oldest PostgreSQL version that is maintained (until November 2027) and that the tests have run on. */
const minVersion = 15;
/** Max difference between this machine's clock, which dates receipts, and the database server's, which times leases. */
const maxOffsetMs = 5000;
/** Size from which a database is reported, because a table of PostgreSQL takes at most 32 TB. */
const maxBytes = 20e12;

/** Checks a PostgreSQL database and the server that holds it. */
export async function checkDatabaseServer(
  databaseUrl: string,
  examined: Examined,
): Promise<Result> {
  const { examineServer } = await postgresServers();
  try {
    const found = await examineServer(parseAddress(databaseUrl));
    return [
      ...schemaItems(found),
      ...serverItems(found),
      ...roomItems(found, examined.settings.databaseConnections),
      ...(found.emails ? outboxResult(found.emails, examined) : []),
      ...(found.wrongStates === undefined ? [] : [marksResult(found.wrongStates)]),
    ];
  } catch (error) {
    if (!(error instanceof DatabaseMismatch || error instanceof Unavailable)) throw error;
    const remedy = `check that it runs and that ${variableOf("DATABASE_URL")} has its hosts, user, password and database`;
    return { fail: error.message, remedy };
  }
}

function schemaItems(found: ServerExamination): Item[] {
  const { engine, tls, encoding, schemaVersion, currentSchemaVersion } = found;
  const problems: CheckProblem[] = [];
  const versions = `schema version ${schemaVersion}; this program uses ${currentSchemaVersion}`;
  if (schemaVersion > currentSchemaVersion) {
    problems.push({ fail: versions, remedy: "install the newer version of the program again" });
  } else if (schemaVersion < currentSchemaVersion) {
    problems.push({ warn: versions, remedy: "start a server once: it migrates the database" });
  }
  if (encoding !== "UTF8") {
    const remedy = "create the database with ENCODING 'UTF8', and copy the data";
    problems.push({ fail: `its encoding is ${encoding}`, remedy });
  }
  if (problems.length > 0) return problems;
  return [`${engine}, ${tls ?? "on this machine without TLS"}, schema current`];
}

function serverItems(found: ServerExamination): Item[] {
  const { engine, majorVersion, unsafeSettings, hasSynchronousStandby, clockOffsetMs } = found;
  const items: Item[] = [];
  if (majorVersion < minVersion) {
    const remedy = `use PostgreSQL ${minVersion} or later; ${program.command} has not been tested with this one`;
    items.push({ warn: `the server is ${engine}`, remedy });
  }
  const check = "durability";
  for (const setting of unsafeSettings) {
    const remedy = "set it to on: a crash can lose requests that visitors were thanked for";
    items.push({ fail: setting, remedy, check });
  }
  if (!hasSynchronousStandby) {
    const text =
      hasSynchronousStandby === undefined
        ? "whether there is a synchronous standby is not known"
        : "no synchronous standby: when the server is lost, so are its newest requests";
    const remedy =
      "set synchronous_standby_names, or synchronous_mode in Patroni; nothing if the storage is replicated (grant pg_monitor to see it)";
    items.push({ warn: text, remedy, check });
  } else if (unsafeSettings.length === 0) items.push({ ok: "a synchronous standby", check });
  if (Math.abs(clockOffsetMs) > maxOffsetMs) {
    const text = `the database's clock differs by ${Math.round(clockOffsetMs / 1000)} seconds`;
    const remedy = "set both clocks by NTP (timedatectl set-ntp true)";
    items.push({ fail: text, remedy, check: "clock" });
  }
  return items;
}

function roomItems({ maxConnections, bytes }: ServerExamination, ownConnections: number): Item[] {
  const servers = Math.floor(maxConnections / ownConnections);
  const text = `${maxConnections} connections are enough for ${counted(servers, "server")} with ${ownConnections} each`;
  const check = "connections";
  const remedy = `raise max_connections, or lower ${variableOf("DATABASE_CONNECTIONS")}`;
  // Connections must be enough for two servers, and for a third while one of them is replaced.
  const items: Item[] = [servers < 3 ? { warn: text, remedy, check } : { ok: text, check }];
  if (bytes >= maxBytes) {
    const size = `${(bytes / 1e12).toFixed(1)} TB; PostgreSQL keeps at most 32 TB in a table`;
    items.push({ warn: size, remedy: `lower ${variableOf("RETENTION_DAYS")}`, check: "size" });
  }
  return items;
}

/** Connects to the mail server and logs in, without sending an email. */
export async function checkMailServer({ settings: { mail } }: Examined): Promise<Result> {
  if (!mail) {
    const remedy = `set ${variableOf("MAIL_URL")} and ${variableOf("MAIL_TO")}`;
    return { warn: "not set: emails stay in the outbox", remedy };
  }
  const transport = openTransport(mail.url);
  try {
    await transport.verify();
    return "ready to accept emails";
  } catch (error) {
    const problem = tlsProblem(error);
    if (problem) return { fail: `cannot be used: ${problem.reason}`, remedy: problem.remedy };
    const { message } = error as Error;
    const remedy = `check that it runs and that ${variableOf("MAIL_URL")} has its address, port, user name and password; then run ${operatorCommand} mail test ADDRESS`;
    return { fail: `cannot be used: ${message}`, remedy };
  } finally {
    transport.close();
  }
}

/** Checks that clamd responds, if its address is set. */
export async function checkVirusScanner({ settings }: Examined): Promise<Result> {
  if (!settings.scannerAddress) return undefined;
  const remedy = `start it (systemctl start clamav-daemon), or correct ${variableOf("CLAMD")}; uploads are rejected meanwhile`;
  return await checkScanner(settings.scannerAddress).then(
    () => "clamd responds",
    ({ message }: Error) => ({ fail: message, remedy }),
  );
}

/** Asks the receiver of webhooks, if one is set, for any response; sends no webhook. */
export async function checkWebhook({ settings: { webhook } }: Examined): Promise<Result> {
  if (!webhook) return undefined;
  const { protocol, hostname } = new URL(webhook.url);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  const unencrypted = {
    warn: "references are sent unencrypted",
    remedy: `use https:// in ${variableOf("WEBHOOK_URL")}, or keep it inside a network of your own`,
  };
  const remedy = `check that it runs, and that ${variableOf("WEBHOOK_URL")} has its address; webhooks wait in the outbox meanwhile`;
  const response = await checkReceiver(webhook).then(
    () => "the receiver responds",
    ({ message }: Error) => ({ fail: message, remedy }),
  );
  return protocol === "http:" && !isLoopback ? [unencrypted, response] : response;
}
