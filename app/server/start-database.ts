import { accessSync, constants } from "node:fs";
import { type Engine, engineOf, makeFolder, type StoreThread } from "#db/engine.ts";
import type { ServerStore } from "#db/store.ts";
import { program } from "../brand.ts";
import { buildVersion } from "./build.ts";
import type { Config } from "./config/load-config.ts";
import type { Settings } from "./config/settings.ts";
import type { Log } from "./log.ts";

export interface StartedDatabase {
  engine: Engine;
  thread: StoreThread;
}

/**
 * Starts the database's thread, which loads its code while the main thread loads the program. For SQLite, first makes
 * the data folder.
 * @throws Error if the data folder cannot be made or written
 */
export async function startDatabase(settings: Settings): Promise<StartedDatabase> {
  const engine = await engineOf(settings);
  if (engine.file !== undefined) {
    makeFolder(settings.dataDir, 0o700);
    accessSync(settings.dataDir, constants.W_OK | constants.X_OK);
  }
  return { engine, thread: engine.startThread() };
}

/** Opens the database, and logs that the program starts. The process ends if the database's thread stops. */
export async function openStore(
  { engine, thread }: StartedDatabase,
  config: Config,
  log: Log,
): Promise<ServerStore> {
  let migrated: string | undefined;
  const store = await thread.open({
    onLost(error) {
      log.error("the database thread has stopped; exiting", error);
      process.exit(1);
    },
    onMigrated(note) {
      migrated = note;
    },
  });
  const url = config.publicUrl ?? "no public URL";
  const place =
    engine.file === undefined ? `database ${engine.place}` : `data folder ${config.dataDir}`;
  const { currentSchemaVersion } = engine;
  log.info(
    `${program.command} ${buildVersion}, ${url}, ${place}, schema version ${currentSchemaVersion}`,
  );
  if (migrated) log.info(migrated);
  return store;
}
