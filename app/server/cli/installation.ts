import type { CommandStore } from "#db/store.ts";
import type { Config } from "../config/load-config.ts";
import type { Settings } from "../config/settings.ts";
import type { Sources } from "../config/sources.ts";

/** The settings that a command was started with, and access to the data. */
export interface Installation {
  /** Where the settings come from, for commands that report on the settings themselves. */
  sources(): Sources;
  /**
   * Reads the settings without the content, so that commands work on the data even if the content is invalid.
   * @throws SettingsError
   */
  readSettings(): Settings;
  /** Reads the settings with the brand and the content files. @throws SettingsError, ContentError */
  readConfig(): Promise<Config>;
  /**
   * Returns the action of a command that works on the existing database, with the command's arguments. Opens the
   * database, runs `work` and closes it; the server may be running. Throws SettingsError, DatabaseMismatch.
   */
  onStore<Args extends unknown[]>(
    work: (opened: Opened, ...args: Args) => Promise<void>,
  ): (...args: Args) => Promise<void>;
}

/** The database that a command works on, and the settings that name it. */
export interface Opened extends Pick<Installation, "readConfig"> {
  store: CommandStore;
  settings: Settings;
}
