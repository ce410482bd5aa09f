import type { Db } from "#db/sqlite/open.ts";
import type { Config } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import type { Flags } from "../config/sources.ts";

/** What a command works on: the settings that it was started with, and the data they lead to. */
export interface Installation {
  /** What was typed of the settings, for commands that judge those themselves. */
  flags(): Flags;
  /** Enough for most commands: a mistake in the content does not keep them from the data. @throws WrongSettings */
  readSettings(): Settings;
  /** @throws WrongSettings, WrongContent */
  readConfig(): Config;
  /**
   * Opens the database that a server has made, also while it serves, and closes it after the work.
   * @throws WrongSettings, WrongDatabase
   */
  withDatabase(work: (db: Db) => Promise<void>): Promise<void>;
}
