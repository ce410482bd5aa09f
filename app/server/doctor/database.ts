import { existsSync } from "node:fs";
import { DatabaseMismatch } from "#db/errors.ts";
import { listBackups } from "#db/sqlite/backup-folder.ts";
import { examineDatabase, isInUse } from "#db/sqlite/examine.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export async function checkDatabase({ databaseFile, backups }: Settings): Promise<Finding[]> {
  const [backup] = listBackups(backups.folder);
  const restore = `stop the server and take the newest good backup: ${program.command} restore ${backup?.file ?? "FILE"}`;
  if (!existsSync(databaseFile)) {
    return backup
      ? [fail("database", `${databaseFile} is gone, though there are backups`, restore)]
      : [
          warn(
            "database",
            `there is no ${databaseFile} yet`,
            `nothing, if the program has never run; else set ${variableOf("DATA_DIR")}`,
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
          `${databaseFile} has layout ${schemaVersion}, this program’s is ${currentSchemaVersion}`,
          "start the server once: it brings the database up to date",
        ),
      ];
    }
  } catch (error) {
    if (!(error instanceof DatabaseMismatch)) throw error;
    return [
      fail(
        "database",
        error.message.replace(/\. It was left as it is\.$/, ""),
        `set ${variableOf("DATA_DIR")} to the right folder; after a downgrade, install the newer version again`,
      ),
    ];
  }
  const use = (await isInUse(databaseFile)) ? "sound, in use by a server" : "sound, not in use";
  return [ok("database", `${databaseFile} is ${use}`)];
}
