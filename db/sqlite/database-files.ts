/** What commands use of database files beside the store; `sqliteFiles` of ../engine.ts loads this file. */
export { addonFor } from "./addon.ts";
export { verifyBackup } from "./backup-file.ts";
export {
  containsSubject,
  emailCountsIn,
  examineDatabase,
  isInUse,
  pastTimesIn,
  wrongStatesIn,
} from "./examine.ts";
export { checkFileHeader } from "./existing-file.ts";
export { readSchemaState } from "./migrate-file.ts";
export { restore, withServerLock } from "./restore-file.ts";
export { currentSchemaVersion } from "./schema-version.ts";
export { sqliteVersion } from "./sqlite-version.ts";
