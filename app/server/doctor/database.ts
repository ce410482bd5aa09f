import { existsSync } from "node:fs";
import path from "node:path";
import { AccessDenied, AddonNotLoaded, DatabaseMismatch } from "#db/errors.ts";
import { nativeBinding } from "#db/sqlite/addon.ts";
import { listBackups } from "#db/sqlite/backup-folder.ts";
import { examineDatabase, isInUse } from "#db/sqlite/examine.ts";
import { databaseExists } from "#db/sqlite/file-header.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export async function checkDatabase({ databaseFile, backups }: Settings): Promise<Finding[]> {
  const [backup] = listBackups(backups.folder);
  const restore = `stop the server and restore the newest good backup: ${program.command} restore ${backup?.file ?? "FILE"}`;
  const unloadable = checkAddon(databaseFile);
  if (unloadable) return [unloadable];
  if (!databaseExists(databaseFile)) {
    return backup
      ? [fail("database", `${databaseFile} is missing, but there are backups`, restore)]
      : [
          warn(
            "database",
            `${databaseFile} does not exist yet`,
            `nothing if the server has never run; otherwise set ${variableOf("DATA_DIR")}`,
          ),
        ];
  }
  try {
    const { schemaVersion, currentSchemaVersion, damage } = await examineDatabase(databaseFile);
    if (damage) return [fail("database", `${databaseFile} is damaged: ${damage}`, restore)];
    if (schemaVersion < currentSchemaVersion) {
      return [
        warn(
          "database",
          `${databaseFile} has schema version ${schemaVersion}; this program uses ${currentSchemaVersion}`,
          "start the server once: it migrates the database",
        ),
      ];
    }
  } catch (error) {
    if (!(error instanceof DatabaseMismatch) || error instanceof AccessDenied) throw error;
    return [
      fail(
        "database",
        error.message.replace(/\. It was not changed\.$/, ""),
        `set ${variableOf("DATA_DIR")} to the right folder; after a downgrade, install the newer version again`,
      ),
    ];
  }
  const state = (await isInUse(databaseFile)) ? "in use by a server" : "not in use";
  return [ok("database", `${databaseFile} is intact, ${state}`)];
}

/** Whether SQLite can be loaded: no server can start otherwise, whatever is in the data folder. */
function checkAddon(databaseFile: string): Finding | undefined {
  if (!existsSync(path.dirname(databaseFile))) return undefined;
  try {
    nativeBinding(databaseFile, true);
    return undefined;
  } catch (error) {
    if (!(error instanceof AddonNotLoaded)) throw error;
    const [reason, remedy] = error.message.split(". If ") as [string, string];
    return fail("database", reason, `if ${remedy.slice(0, -1)}`);
  }
}
