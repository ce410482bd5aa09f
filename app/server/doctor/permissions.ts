import { type Stats, statSync } from "node:fs";
import { listBackups } from "#db/sqlite/backup-folder.ts";
import type { Settings } from "../config/settings.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** What visitors sent, and passwords, are for the program's account alone, and are its own. */
export function checkPermissions(settings: Settings, settingsFile: string | undefined): Finding[] {
  const { dataDir, databaseFile, backups } = settings;
  const ours = ["", "-wal", "-shm", "-lock"].map((ending) => databaseFile + ending);
  const copies = listBackups(backups.folder).map(({ file }) => file);
  const folder = statOf(dataDir);
  const isOpen = (file: string, bits: number) => ((statOf(file)?.mode ?? 0) & bits) !== 0;
  const isStrange = (file: string) => (statOf(file)?.uid ?? folder?.uid) !== folder?.uid;

  const found: Finding[] = [];
  if (isOpen(dataDir, 0o022)) {
    const remedy = `chmod 700 ${dataDir}`;
    found.push(fail("permissions", `other accounts may write into ${dataDir}`, remedy));
  }
  for (const file of [...ours, ...copies, settingsFile].filter((one) => one !== undefined)) {
    // There is nothing in the lock.
    if (!isOpen(file, 0o077) || file.endsWith("-lock")) continue;
    const remedy = `chmod 600 ${file}`;
    found.push(fail("permissions", `other accounts may look into ${file}`, remedy));
  }
  for (const file of ours.filter(isStrange)) {
    const remedy = `chown --reference=${dataDir} ${file}`;
    found.push(fail("permissions", `${file} belongs to another account than its folder`, remedy));
  }
  return found.length > 0 ? found : [ok("permissions", "nobody else can read the data")];
}

const statOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false });
