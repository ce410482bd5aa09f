import { type Stats, statSync } from "node:fs";
import { listBackups } from "#db/sqlite/backup-folder.ts";
import type { Settings } from "../config/settings.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** Checks that only the program's account can read the data, the backups and the settings file. */
export function checkPermissions(settings: Settings, settingsFile: string | undefined): Finding[] {
  const { dataDir, databaseFile, backups } = settings;
  const databaseFiles = ["", "-wal", "-shm", "-lock"].map((suffix) => databaseFile + suffix);
  const backupFiles = listBackups(backups.folder).map(({ file }) => file);
  const folder = statOf(dataDir);
  const hasMode = (file: string, bits: number) => ((statOf(file)?.mode ?? 0) & bits) !== 0;
  // The package's settings file belongs to root and the program's group.
  const hasFoldersGroup = (file: string) => !folder || statOf(file)?.gid === folder.gid;
  const hasOtherOwner = (file: string) => (statOf(file)?.uid ?? folder?.uid) !== folder?.uid;

  const found: Finding[] = [];
  if (hasMode(dataDir, 0o022)) {
    const remedy = `chmod 700 ${dataDir}`;
    found.push(fail("permissions", `other accounts can write to ${dataDir}`, remedy));
  }
  for (const file of [...databaseFiles, ...backupFiles]) {
    // The lock file is empty.
    if (!hasMode(file, 0o077) || file.endsWith("-lock")) continue;
    const remedy = `chmod 600 ${file}`;
    found.push(fail("permissions", `other accounts can access ${file}`, remedy));
  }
  if (settingsFile !== undefined && hasMode(settingsFile, 0o037)) {
    const remedy = `chmod o=,g-wx ${settingsFile}`;
    found.push(fail("permissions", `other accounts can access ${settingsFile}`, remedy));
  } else if (
    settingsFile !== undefined &&
    hasMode(settingsFile, 0o040) &&
    !hasFoldersGroup(settingsFile)
  ) {
    const remedy = `chgrp --reference=${dataDir} ${settingsFile}`;
    found.push(fail("permissions", `other accounts can read ${settingsFile}`, remedy));
  }
  for (const file of databaseFiles.filter(hasOtherOwner)) {
    const remedy = `chown --reference=${dataDir} ${file}`;
    found.push(
      fail("permissions", `${file} belongs to a different account than its folder`, remedy),
    );
  }
  return found.length > 0 ? found : [ok("permissions", "no other account can read the data")];
}

const statOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false });
