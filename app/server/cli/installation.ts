import type { Db } from "#db/open.ts";
import type { Config } from "../config.ts";

/** What a command works on: the settings that it was started with, and the data they lead to. */
export interface Installation {
  /** @throws WrongSettings, WrongContent */
  readConfig(): Config;
  /**
   * Opens the database that a server has made, also while it serves, and closes it after the work.
   * @throws WrongSettings, WrongContent, WrongDatabase
   */
  withDatabase(work: (db: Db) => Promise<void>): Promise<void>;
}
