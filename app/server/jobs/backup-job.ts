import { statSync } from "node:fs";
import { addBackup, listBackups } from "#db/sqlite/backup-folder.ts";
import type { Config } from "../config/config.ts";
import { hasFreeSpace } from "../http/health.ts";
import type { Log } from "../log.ts";

const retryIntervalMs = 60 * 60 * 1000;

export interface BackupJob {
  /** Returns when the newest backup was taken, or undefined. */
  lastBackupAt(): Date | undefined;
  /** Stops the job and aborts a backup in progress. */
  close(): Promise<void>;
}

/**
 * Makes a backup whenever the newest one (or the database, if there is none) is older than the
 * interval. A restart alone causes no backup.
 */
export function startBackupJob(config: Config, now: () => Date, log: Log): BackupJob {
  const { databaseFile, diskFloorMb, backups } = config;
  const { intervalMs, keepCount, folder } = backups;
  const lastBackupAt = () => listBackups(folder)[0]?.takenAt;
  if (intervalMs === 0) return { lastBackupAt, close: async () => {} };

  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let notBefore = 0;

  const backUpIfDue = async () => {
    const startedAt = now();
    try {
      const last = lastBackupAt() ?? statSync(databaseFile).birthtime;
      if (startedAt.getTime() < Math.max(last.getTime() + intervalMs, notBefore)) return;
      const megabytes = statSync(databaseFile).size / 1_048_576;
      if (!(await hasFreeSpace(config.dataDir, megabytes + diskFloorMb))) {
        throw new Error(`there is not enough disk space for ${Math.ceil(megabytes)} MB`);
      }
      const { requests, files } = await addBackup(
        databaseFile,
        folder,
        keepCount,
        startedAt,
        closing.signal,
      );
      const seconds = ((now().getTime() - startedAt.getTime()) / 1000).toFixed(1);
      log.info(`a backup with ${requests} requests and ${files} files was made in ${seconds} s`);
    } catch (error) {
      if (closing.signal.aborted) return;
      notBefore = startedAt.getTime() + retryIntervalMs;
      log.error("backup failed; retrying in an hour", error);
    }
  };
  const check = () => {
    running ??= backUpIfDue().finally(() => {
      running = undefined;
    });
  };
  check();
  const timer = setInterval(check, 60_000);
  return {
    lastBackupAt,
    async close() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}
