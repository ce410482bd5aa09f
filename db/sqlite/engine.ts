import type { DatabaseSettings, Engine } from "../engine.ts";
import { storeThread } from "../server-store.ts";
import { currentSchemaVersion } from "./schema-version.ts";
import { startSqliteThread } from "./start-thread.ts";

/**
 * The engine of a database file, which one server at a time uses. A server uses the file in threads only, so what
 * commands need is imported when they call it.
 */
export const sqliteEngine = ({ databaseFile, backups }: DatabaseSettings): Engine => ({
  place: databaseFile,
  file: databaseFile,
  currentSchemaVersion,
  startThread: () =>
    storeThread(startSqliteThread("writer-thread", { databaseFile, backupFolder: backups.folder })),
  async openCommandStore() {
    const { openCommandStore } = await import("./command-store.ts");
    return openCommandStore(databaseFile);
  },
  async readSchemaState() {
    const { readSchemaState } = await import("./migrate-file.ts");
    return readSchemaState(databaseFile);
  },
  async makeBackup(file) {
    const { makeBackup } = await import("./backup-file.ts");
    const { openForReading } = await import("./existing-file.ts");
    // Throws if the file is missing or not this program's, which `makeBackup` does not check.
    openForReading(databaseFile).close();
    return makeBackup(databaseFile, file);
  },
});
