import type { DatabaseSettings, Engine } from "../engine.ts";
import { storeInThread } from "../server-store.ts";
import { makeBackup } from "./backup-file.ts";
import { openCommandStore } from "./command-store.ts";
import { readSchemaState } from "./migrate-file.ts";
import { checkDatabaseFile } from "./open-for-reading.ts";
import { currentSchemaVersion } from "./schema-version.ts";
import { startSqliteThread } from "./start-thread.ts";

/** One file, one server. */
export const sqliteEngine = ({ databaseFile, backups }: DatabaseSettings): Engine => ({
  place: databaseFile,
  file: databaseFile,
  currentSchemaVersion,
  // The lock on the file proves that no other server runs.
  minStaleMs: 0,
  openServerStore: (events) =>
    storeInThread(
      startSqliteThread("writer-thread", { databaseFile, backupFolder: backups.folder }),
      events,
    ),
  openCommandStore: async () => openCommandStore(databaseFile),
  readSchemaState: () => readSchemaState(databaseFile),
  async makeBackup(file) {
    checkDatabaseFile(databaseFile);
    return makeBackup(databaseFile, file);
  },
});
