import Sqlite from "better-sqlite3";
import { addonFor } from "./addon.ts";

export function sqliteVersion(): string {
  const memory = new Sqlite(":memory:", { nativeBinding: addonFor() });
  try {
    return memory.prepare("SELECT sqlite_version()").pluck().get() as string;
  } finally {
    memory.close();
  }
}
