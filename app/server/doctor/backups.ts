import { statSync } from "node:fs";
import { listBackups } from "#db/sqlite/backup-folder.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const hourMs = 3_600_000;
/** A backup is made within a minute of its time, and tried again after an hour. */
const toleranceMs = 3 * hourMs;

export function checkBackups({ databaseFile, backups }: Settings, now: Date): Finding[] {
  const { everyMs, folder } = backups;
  const byHand = `${program.command} backup FILE`;
  if (everyMs === 0) {
    const remedy = `make them another way (${byHand}), or set ${variableOf("BACKUP_HOURS")}`;
    return [warn("backups", "none are made regularly", remedy)];
  }
  const [newest] = listBackups(folder);
  const database = statSync(databaseFile, { throwIfNoEntry: false });
  const since = newest?.takenAt ?? database?.birthtime;
  if (!since) return [ok("backups", "nothing to keep yet")];
  const ageMs = now.getTime() - since.getTime();
  const age = `${Math.round(ageMs / hourMs)} hours old`;
  if (ageMs > everyMs + toleranceMs) {
    return [
      fail(
        "backups",
        newest
          ? `the newest, ${newest.file}, is ${age}`
          : `there is none, and the database is ${age}`,
        `the log of the server says why (it makes them while it serves); make one now: ${byHand}`,
      ),
    ];
  }
  return [ok("backups", newest ? `the newest is ${age}` : "the first is not due yet")];
}
