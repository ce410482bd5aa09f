import { statSync } from "node:fs";
import { addBackup, listBackups } from "#db/sqlite/backup-folder.ts";
import type { Config } from "../config/config.ts";
import { hasRoom } from "../http/health.ts";
import type { Log } from "../log.ts";

/** A failed backup is tried again after that. */
const timeoutMs = 60 * 60 * 1000;

export interface BackupJob {
  /** When the newest was taken, if there is any. */
  newest(): Date | undefined;
  /** Ends the one that is being made. */
  close(): Promise<void>;
}

/**
 * Makes a backup every so many hours for as long as the program runs; counted from the newest there is,
 * so that a restart makes none, or from the day the database was made.
 */
export function startBackupJob(config: Config, now: () => Date, log: Log): BackupJob {
  const { databaseFile, diskFloorMb, backups } = config;
  const { everyMs, kept, folder } = backups;
  const newest = () => listBackups(folder)[0]?.takenAt;
  if (everyMs === 0) return { newest, close: async () => {} };

  const ending = new AbortController();
  let running: Promise<void> | undefined;
  let notBefore = 0;

  const makeDue = async () => {
    const begun = now();
    try {
      const last = newest() ?? statSync(databaseFile).birthtime;
      if (begun.getTime() < Math.max(last.getTime() + everyMs, notBefore)) return;
      const megabytes = statSync(databaseFile).size / 1_048_576;
      if (!(await hasRoom(config.dataDir, megabytes + diskFloorMb))) {
        throw new Error(`there is no room for ${Math.ceil(megabytes)} MB on the disk`);
      }
      const { requests, files } = await addBackup(databaseFile, folder, kept, begun, ending.signal);
      const seconds = ((now().getTime() - begun.getTime()) / 1000).toFixed(1);
      log.info(`a backup with ${requests} requests and ${files} files was made in ${seconds} s`);
    } catch (error) {
      if (ending.signal.aborted) return;
      notBefore = begun.getTime() + timeoutMs;
      log.error("no backup could be made; trying again in an hour", error);
    }
  };
  const look = () => {
    running ??= makeDue().finally(() => {
      running = undefined;
    });
  };
  look();
  const timer = setInterval(look, 60_000);
  return {
    newest,
    async close() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}
