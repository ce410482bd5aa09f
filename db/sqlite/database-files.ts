/** What commands do with database files beside the store; `sqliteFiles` of ../engine.ts loads it. */
export { nativeBinding } from "./addon.ts";
export { verifyBackup } from "./backup-file.ts";
export { examineDatabase, isInUse, pastTimesIn } from "./examine.ts";
export { databaseExists } from "./file-header.ts";
export { readSchemaState } from "./migrate-file.ts";
export { restore, withServerStopped } from "./restore-file.ts";
export { currentSchemaVersion } from "./schema-version.ts";
export { sqliteVersion } from "./sqlite-version.ts";
export { containsSubject } from "./subject-in-file.ts";
