import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { nativeBinding } from "./addon.ts";
import { WrongDatabase } from "./errors.ts";
import { refuseStranger } from "./header.ts";

/**
 * Opens a database or a backup for reading alone, beside whoever writes.
 * @throws WrongDatabase where it is missing, not ours, or a newer program's
 */
export function openForReading(file: string): Sqlite.Database {
  if (!existsSync(file)) throw new WrongDatabase(`There is no ${file}.`);
  refuseStranger(file);
  const client = new Sqlite(file, { nativeBinding: addonFor(file), readonly: true });
  client.pragma("trusted_schema = OFF");
  return client;
}

/** The types know a path only; the library also takes the loaded addon. */
export const addonFor = (file: string) => nativeBinding(file) as string | undefined;
