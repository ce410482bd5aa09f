import type { CommandStore } from "#db/store.ts";
import type { Config } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import type { Sources } from "../config/sources.ts";

/** What a command works on: the settings it was started with, and the data that they lead to. */
export interface Installation {
  /** Where the settings come from, for commands that report on the settings themselves. */
  sources(): Sources;
  /** Does not read the content, so that a mistake in it keeps no command from the data. @throws SettingsError */
  readSettings(): Settings;
  /** @throws SettingsError, ContentError */
  readConfig(): Config;
  /**
   * Opens the database that a server has made, and closes it after the work. The server may be running.
   * @throws SettingsError, DatabaseMismatch
   */
  withStore(work: (store: CommandStore) => Promise<void>): Promise<void>;
}
