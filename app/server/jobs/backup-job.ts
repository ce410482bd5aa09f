import { statSync } from "node:fs";
import { addBackup, newestBackup } from "#db/engine.ts";
import { counted } from "../../domain/counted.ts";
import { hourMs } from "../../domain/duration.ts";
import type { Config } from "../config/load-config.ts";
import type { Log } from "../log.ts";
import { hasFreeSpace, minFreeMb } from "../system/disk-space.ts";
import { startLoop } from "./loop.ts";

const checkIntervalMs = 60_000;
const retryIntervalMs = hourMs;

export interface BackupJob {
  /** Milliseconds between scheduled backups; 0 if there are none. */
  intervalMs: number;
  lastBackupAt(): Date | undefined;
  /**
   * Makes a backup that is not scheduled. Does nothing if backups are turned off, because the backup would never be
   * deleted.
   * @param occasion part of its file name
   * @throws Error if the backup cannot be made
   */
  backUp(occasion: string): Promise<void>;
  /** Stops the job and aborts a backup in progress. */
  close(): Promise<void>;
}

/**
 * Makes a backup whenever the newest one (or the database, if there is none) is older than the
 * interval. A restart alone causes no backup.
 */
export function startBackupJob(config: Config, now: () => Date, log: Log): BackupJob {
  const { databaseFile, backups } = config;
  const { intervalMs, folder } = backups;
  const lastBackupAt = () => newestBackup(folder, now())?.takenAt;
  if (intervalMs === 0) {
    return { intervalMs, lastBackupAt, backUp: async () => {}, close: async () => {} };
  }

  const closing = new AbortController();
  /** The last backup that was asked for. The next backup waits for it. */
  let last: Promise<void> = Promise.resolve();

  const backUp = (occasion?: string): Promise<void> => {
    const made = last.then(() =>
      makeBackup(config, { now, log, occasion, signal: closing.signal }),
    );
    last = made.catch(() => {});
    return made;
  };
  const loop = startLoop(async () => {
    try {
      const previous = lastBackupAt() ?? statSync(databaseFile).birthtime;
      if (now().getTime() >= previous.getTime() + intervalMs) await backUp();
      return checkIntervalMs;
    } catch (error) {
      if (!closing.signal.aborted) log.error("backup failed; retrying in an hour", error);
      return retryIntervalMs;
    }
  });
  return {
    intervalMs,
    lastBackupAt,
    backUp,
    async close() {
      closing.abort();
      await loop.close();
      await last;
    },
  };
}

/** @throws Error if there is not enough space, DatabaseMismatch, Unavailable */
async function makeBackup(
  { databaseFile, dataDir, backups }: Config,
  options: { now: () => Date; log: Log; occasion: string | undefined; signal: AbortSignal },
): Promise<void> {
  const { now, log, occasion, signal } = options;
  signal.throwIfAborted();
  const startedAt = now();
  const megabytes = statSync(databaseFile).size / 1_048_576;
  if (!(await hasFreeSpace(dataDir, megabytes + minFreeMb))) {
    throw new Error(`there is not enough disk space for ${Math.ceil(megabytes)} MB`);
  }
  const { requests, files } = await addBackup(databaseFile, {
    folder: backups.folder,
    keepCount: backups.keepCount,
    now: startedAt,
    occasion,
    signal,
  });
  const seconds = ((now().getTime() - startedAt.getTime()) / 1000).toFixed(1);
  log.info(
    `a backup with ${counted(requests, "request")} and ${counted(files, "file")} was made in ${seconds} s`,
  );
}
