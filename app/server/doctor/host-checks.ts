/** Checks of the settings, the content and this machine. */
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { listBackups, newestBackup, sqliteFiles } from "#db/engine.ts";
import { program } from "../../brand.ts";
import { counted } from "../../domain/counted.ts";
import { hourMs } from "../../domain/duration.ts";
import { loadConfig } from "../config/load-config.ts";
import { nearestExisting } from "../config/nearest-existing.ts";
import { addressText, type ServerAddress, socketState } from "../config/server-address.ts";
import { variableOf } from "../config/settings-table.ts";
import { operatorCommand } from "../config/sources.ts";
import { ContentError } from "../content/content-error.ts";
import { type BrandSetting, missingStatements } from "../content/missing-statements.ts";
import { readContent } from "../content/read-content.ts";
import { dropFolderCheck, proxyCheck } from "../http/readiness-checks.ts";
import { doubtAbout, type PastTimes } from "../jobs/clock.ts";
import { minFreeMb } from "../system/disk-space.ts";
import type { CheckProblem, Examined, Result } from "./installation-checks.ts";
import { askingAddress, fetchReadiness } from "./readiness.ts";

const withoutPeriod = (sentence: string) => sentence.replace(/\.$/, "");

export function checkSettings({ parsed, settingsFile }: Examined): Result {
  const { given, errors, warnings } = parsed;
  const remedy = "correct it; `config show` prints each setting and its source";
  const source = settingsFile === undefined ? "" : `, with ${settingsFile}`;
  return [
    ...warnings.map((warning) => ({ warn: withoutPeriod(warning), remedy: "delete it" })),
    ...errors.map((error) => ({ fail: withoutPeriod(error), remedy })),
    ...(errors.length === 0 ? [`${given.size} set${source}, defaults for the rest`] : []),
  ];
}

export function checkContent({ settings }: Examined): Result {
  try {
    const { articles, warnings } = readContent(loadConfig(settings));
    if (warnings.length === 0) {
      return `${counted(articles.length, "article")}, ${settings.contentDir ?? "built in"}`;
    }
    const remedy = `correct the files in ${settings.contentDir}, or delete them`;
    return warnings.map((warn) => ({ warn, remedy }));
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const { contentDir } = settings;
    const remedy =
      contentDir !== undefined && existsSync(contentDir)
        ? `correct the file in ${contentDir}, or delete it to use the built-in one`
        : `create or mount the folder, or correct ${variableOf("CONTENT_DIR")}`;
    return error.messages.map((message) => ({ fail: message, remedy }));
  }
}

/** Checks that the brand is an institution's own and complete. Errors in the content are reported by checkContent. */
export function checkBrand({ settings }: Examined): Result {
  try {
    const missing = missingStatements(loadConfig(settings).brand);
    return missing.length === 0
      ? "complete"
      : missing.map(({ message, setting }) => ({ warn: message, remedy: brandRemedy(setting) }));
  } catch (error) {
    if (error instanceof ContentError) return undefined;
    throw error;
  }
}

function brandRemedy(setting: BrandSetting): string {
  const file = `brand.yaml in the folder of ${variableOf("CONTENT_DIR")} (\`content export\` writes one)`;
  if (setting === undefined) return `state it in ${file}`;
  return `set ${variableOf(setting)}, or ${setting === "BRAND_NAME" ? "write" : "state it in"} ${file}`;
}

export function checkPublicUrl({ settings: { publicUrl } }: Examined): Result {
  const variable = variableOf("PUBLIC_URL");
  if (publicUrl === undefined) {
    return {
      warn: "not set: the feed, the sitemap and shared links point to this machine",
      remedy: `set ${variable}, for example ${variable}=https://marking.school.example`,
    };
  }
  if (publicUrl.startsWith("https:")) return publicUrl;
  return {
    warn: `${publicUrl} is not encrypted: visitors' data can be read`,
    remedy: `put the site behind a proxy with TLS, and set ${variable} to https://…`,
  };
}

/** Checks that the port or socket is free, or that the server of this database uses it and is ready. */
export async function checkListenAddress({ settings }: Examined): Promise<Result> {
  const { listenAddress, databaseFile } = settings;
  const isSocket = "path" in listenAddress;
  const text = addressText(listenAddress);
  const listenError = isSocket
    ? await socketError(listenAddress.path)
    : await tryListening(listenAddress);
  if (!isSocket && listenAddress.port === 0) {
    return listenError ? listenProblem(listenError, listenAddress) : "any free port";
  }
  const { isInUse } = await sqliteFiles();
  const isServing = existsSync(databaseFile) && (await isInUse(databaseFile));
  if (listenError && (isServing || listenError === "EADDRINUSE")) {
    return await serverResult(settings, { isOwn: isServing });
  }
  if (listenError) return listenProblem(listenError, listenAddress);
  if (!isServing) return `${text} is free`;
  return {
    warn: `a server is running, but not on ${text}`,
    remedy: `run this command with the settings that the server was started with (${variableOf(isSocket ? "HOST" : "PORT")})`,
  };
}

/** Reports what uses the address. @param options.isOwn whether a server of this database file is running */
async function serverResult(
  settings: Examined["settings"],
  { isOwn }: { isOwn: boolean },
): Promise<Result> {
  const { listenAddress, databaseUrl } = settings;
  const { isOurs, isReady, text: reason } = await fetchReadiness(settings);
  const text = addressText(listenAddress);
  const isSocket = "path" in listenAddress;
  const kind = isSocket ? "socket" : "port";
  const variable = variableOf(isSocket ? "HOST" : "PORT");
  if (isOwn || (isOurs && databaseUrl !== undefined)) {
    const server = isOwn ? "the server" : `a ${program.command} server`;
    if (isReady) return `${server} on ${text} is ready`;
    const remedy = "fix the failed checks; see the server's log";
    return { fail: `${server} on ${text} is not ready: ${reason}`, remedy };
  }
  return isOurs
    ? {
        fail: `${text} is taken by a ${program.command} server with other settings`,
        remedy: `run this command with the settings of that server (--config), or set ${variable} to another ${kind} for a second one`,
      }
    : takenProblem(text, kind, variable);
}

const takenProblem = (text: string, kind: string, variable: string): CheckProblem => ({
  fail: `${text} is taken by another program`,
  remedy: `stop the other program, or set ${variable} to another ${kind}`,
});

/** Returns what an error code of listening means, and what to do. A server that cannot start says the same. */
export function listenProblem(code: string, address: ServerAddress): CheckProblem {
  const text = addressText(address);
  if ("path" in address) return socketProblem(code, text);
  if (code === "EADDRINUSE") return takenProblem(text, "port", variableOf("PORT"));
  const remedy =
    code === "EACCES"
      ? `set ${variableOf("PORT")} to 1024 or higher, and put a proxy in front of it`
      : `set ${variableOf("HOST")} to an address of this machine`;
  return { fail: `${text} cannot be used: ${code}`, remedy };
}

function socketProblem(code: string, file: string): CheckProblem {
  const folder = path.dirname(file);
  // Under systemd the folder exists only while the server runs, so its absence is only a warning.
  if (code === "ENOENT") {
    const remedy = `start the server under systemd with RuntimeDirectory=${path.basename(folder)}, or create the folder`;
    return { warn: `its folder ${folder} does not exist`, remedy };
  }
  const remedy = `set ${variableOf("HOST")} to a path where no file is, in a folder that exists and that this account can write to`;
  return code === "EADDRINUSE" || code === "EEXIST"
    ? { fail: `${file} is another server's socket, or another file`, remedy }
    : { fail: `${file} cannot be used: ${code}`, remedy };
}

/** Returns the error code with which listening at a Unix socket's path would fail, without creating the file. */
async function socketError(file: string): Promise<string | undefined> {
  const state = await socketState(file);
  if (state === "live") return "EADDRINUSE";
  if (state === "another file") return "EEXIST";
  return errorCodeFrom(() => accessSync(path.dirname(file), constants.W_OK | constants.X_OK));
}

/** Returns the error code if listening fails, otherwise undefined. */
function tryListening(address: ServerAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(address, () => server.close(() => resolve(undefined)));
  });
}

/** Returns the code of the error that an action throws; undefined if it throws none. @throws an error without a code */
function errorCodeFrom(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

export function checkDataFolder({ settings: { dataDir, databaseUrl } }: Examined): Result {
  const variable = variableOf("DATA_DIR");
  const folder = nearestExisting(dataDir);
  if (!statSync(folder).isDirectory()) {
    const remedy = `set ${variable} to a folder, or move the file away`;
    return { fail: `${folder} is a file`, remedy };
  }
  const exists = folder === dataDir;
  const code = errorCodeFrom(() =>
    exists ? tryWriting(dataDir) : accessSync(folder, constants.W_OK | constants.X_OK),
  );
  if (code) {
    const remedy =
      code === "ENOSPC"
        ? "free some space on its disk"
        : `give it to the account that the program runs under (chown), or set ${variable} to another folder`;
    return { fail: `${folder} cannot be written: ${code}`, remedy };
  }
  const remedy = `nothing if the server has never run; otherwise set ${variable}`;
  // On PostgreSQL the folder may be missing: the program makes it when the first scan is cut.
  return exists || databaseUrl ? dataDir : { warn: `${dataDir} does not exist yet`, remedy };
}

/**
 * Checks that the server can write to the drop folder. Asks the running server, because a systemd unit may deny the
 * server what this command may do. Without an answer this command tries to write, and warns if a server is running.
 */
export async function checkDropFolder({ settings }: Examined): Promise<Result> {
  const { dropFolder } = settings;
  if (dropFolder === undefined) return undefined;
  const { isOurs, checks } = await fetchReadiness(settings);
  const result = checks[dropFolderCheck];
  const code = result ?? errorCodeFrom(() => tryWriting(dropFolder)) ?? "ok";
  if (code !== "ok") {
    const writer = result === undefined ? "" : " by the server";
    const remedy = existsSync(dropFolder)
      ? "give it to the account that the program runs under (chown), and allow it in the unit (ReadWritePaths)"
      : `create or mount it, or correct ${variableOf("DROP_DIR")}`;
    return { fail: `${dropFolder} cannot be written${writer}: ${code}`, remedy };
  }
  if (result !== undefined || !isOurs) return dropFolder;
  return {
    warn: `this command can write to ${dropFolder}; whether the server can is in its log`,
    remedy: `list ${askingAddress(settings.listenAddress)} in ${variableOf("METRICS_NETWORKS")} to have it shown here`,
  };
}

/** Checks that no request has come by a proxy that is not trusted, or that does not name its clients. */
export async function checkProxy({ settings }: Examined): Promise<Result> {
  const { [proxyCheck]: found } = (await fetchReadiness(settings)).checks;
  const remedy =
    "path" in settings.listenAddress
      ? "have the proxy set X-Forwarded-For"
      : `if it is your proxy's, have it set X-Forwarded-For, and set ${variableOf("TRUSTED_PROXIES")} to its address: its visitors share the limits of one`;
  return found === undefined ? undefined : { warn: found, remedy };
}

/** Writes a file: checking permissions is not enough, because the disk may be full or read-only. */
function tryWriting(folder: string): void {
  const file = path.join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(file, "?", { flag: "wx", mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Checks that the disk has space for posts, and for a backup, which is as large as the database. */
export async function checkDisk({ settings }: Examined): Promise<Result> {
  const { dataDir, databaseFile, backups } = settings;
  const { bavail, bsize } = await statfs(nearestExisting(dataDir));
  const freeMb = (bavail * bsize) / 1_048_576;
  const free = Math.floor(freeMb);
  if (freeMb <= minFreeMb) {
    const found = `${free} MB free; forms need more than ${minFreeMb} MB`;
    return { fail: found, remedy: "free some space" };
  }
  const size = (statOf(databaseFile)?.size ?? 0) / 1_048_576;
  if (backups.intervalMs === 0 || freeMb > size + minFreeMb) return `${free} MB free`;
  return {
    warn: `${free} MB free; a backup needs ${Math.ceil(size + minFreeMb)} MB`,
    remedy: `free some space, or keep fewer backups (${variableOf("BACKUPS_KEPT")})`,
  };
}

const statOf = (file: string) => statSync(file, { throwIfNoEntry: false });

/** Checks that no other account can read or write the data, the backups, the settings and the secrets. */
export function checkPermissions({ settings, settingsFile, parsed }: Examined): Result {
  const { dataDir, databaseFile, backups } = settings;
  const databaseFiles = ["", "-wal", "-shm", "-lock"].map((suffix) => databaseFile + suffix);
  const backupFiles = listBackups(backups.folder).map(({ file }) => file);
  const secretFiles = [...parsed.given.values()].flatMap(({ secretFile }) => secretFile ?? []);
  const found = [
    hasAnyModeBit(dataDir, 0o022) && {
      fail: `other accounts can write to ${dataDir}`,
      remedy: `chmod 700 ${dataDir}`,
    },
    ...[...databaseFiles, ...backupFiles].map(accessProblem),
    settingsFile !== undefined && secretProblem(settingsFile, dataDir),
    ...secretFiles.map((file) => secretProblem(file, dataDir)),
    ...databaseFiles.map((file) => ownerProblem(file, dataDir)),
  ].filter((problem) => problem !== false);
  return found.length > 0 ? found : "no other account can read the data";
}

const hasAnyModeBit = (file: string, bits: number) => ((statOf(file)?.mode ?? 0) & bits) !== 0;

/** Other accounts may read the lock file, which is empty. */
const accessProblem = (file: string): CheckProblem | false =>
  hasAnyModeBit(file, file.endsWith("-lock") ? 0o022 : 0o077) && {
    fail: `other accounts can access ${file}`,
    remedy: `chmod 600 ${file}`,
  };

/** Besides its owner, only the program's group may read the file: the package gives its settings file to that group. */
function secretProblem(file: string, dataDir: string): CheckProblem | false {
  if (hasAnyModeBit(file, 0o037)) {
    return { fail: `other accounts can access ${file}`, remedy: `chmod o=,g-wx ${file}` };
  }
  const folder = statOf(dataDir);
  const isOthers = folder && hasAnyModeBit(file, 0o040) && statOf(file)?.gid !== folder.gid;
  if (!isOthers) return false;
  const remedy = `chgrp --reference=${dataDir} ${file}`;
  return { fail: `other accounts can read ${file}`, remedy };
}

function ownerProblem(file: string, dataDir: string): CheckProblem | false {
  const owner = statOf(dataDir)?.uid;
  if ((statOf(file)?.uid ?? owner) === owner) return false;
  const remedy = `chown --reference=${dataDir} ${file}`;
  return { fail: `${file} belongs to a different account than its folder`, remedy };
}

/** Checks the clock against times that have passed. */
export function checkClock(now: Date, past: PastTimes): CheckProblem | string {
  const time = now.toISOString();
  const doubt = doubtAbout(now, past);
  if (!doubt) return time;
  const found = `the clock says ${time}, but ${doubt.reason}; nothing is deleted by age`;
  return doubt.isBehind
    ? {
        fail: found,
        remedy:
          "set the clock, preferably by NTP (timedatectl set-ntp true): requests are dated and deleted by it",
      }
    : {
        warn: found,
        remedy:
          "set the clock if it is wrong; if it is right, nothing: data is deleted when the server has run for 24 hours",
      };
}

/** How late a backup may be: a failed backup is retried after an hour. */
const toleranceMs = 3 * hourMs;

export function checkBackups({ settings: { databaseFile, backups }, now }: Examined): Result {
  const { intervalMs, folder } = backups;
  const manualBackup = `${operatorCommand} backup FILE`;
  if (intervalMs === 0) {
    const remedy = `make backups another way (${manualBackup}), or set ${variableOf("BACKUP_HOURS")}`;
    return { warn: "automatic backups are turned off", remedy };
  }
  const newest = newestBackup(folder, now);
  const since = newest?.takenAt ?? statOf(databaseFile)?.birthtime;
  if (!since) return "nothing to back up yet";
  const ageMs = now.getTime() - since.getTime();
  const age = `${counted(Math.round(ageMs / hourMs), "hour")} old`;
  if (ageMs <= intervalMs + toleranceMs) {
    return newest ? `the newest is ${age}` : "the first is not due yet";
  }
  return {
    fail: newest
      ? `the newest, ${newest.file}, is ${age}`
      : `there is none, and the database is ${age}`,
    remedy: `see the server's log for the reason (backups are made only while it runs); make one now: ${manualBackup}`,
  };
}
