import { statSync } from "node:fs";
import { newestBackup } from "#db/sqlite/backup-folder.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const hourMs = 3_600_000;
/** Allows for retries: a failed backup is retried after an hour. */
const toleranceMs = 3 * hourMs;

export function checkBackups({ databaseFile, backups }: Settings, now: Date): Finding[] {
  const { intervalMs, folder } = backups;
  const manualBackup = `${program.command} backup FILE`;
  if (intervalMs === 0) {
    const remedy = `make backups another way (${manualBackup}), or set ${variableOf("BACKUP_HOURS")}`;
    return [warn("backups", "automatic backups are turned off", remedy)];
  }
  const newest = newestBackup(folder, now);
  const database = statSync(databaseFile, { throwIfNoEntry: false });
  const since = newest?.takenAt ?? database?.birthtime;
  if (!since) return [ok("backups", "nothing to back up yet")];
  const ageMs = now.getTime() - since.getTime();
  const age = `${Math.round(ageMs / hourMs)} hours old`;
  if (ageMs > intervalMs + toleranceMs) {
    return [
      fail(
        "backups",
        newest
          ? `the newest, ${newest.file}, is ${age}`
          : `there is none, and the database is ${age}`,
        `see the server's log for the reason (backups are made only while it runs); make one now: ${manualBackup}`,
      ),
    ];
  }
  return [ok("backups", newest ? `the newest is ${age}` : "the first is not due yet")];
}
