import { rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { WrongDatabase } from "../errors.ts";
import { makeBackup } from "./backup-file.ts";
import { backupName } from "./backup-name.ts";
import { makeFolder } from "./make-folder.ts";
import { openForReading } from "./open-for-reading.ts";
import { layoutVersion, migrations } from "./schema-version.ts";

/**
 * Brings a file to this program's layout: all that is missing in one transaction, or nothing. What holds
 * data is copied to the folder of backups first, since an older program cannot read the file afterwards.
 * @throws WrongDatabase where a step fails; the file is as it was
 */
export async function migrate(client: Sqlite.Database, backupFolder: string): Promise<void> {
  const layout = layoutOf(client);
  if (layout === layoutVersion) return;
  const { name: file } = client;
  const name = backupName(file, new Date(), `before-layout-${layoutVersion}`);
  const copy = path.join(backupFolder, name);
  if (layout > 0) {
    makeFolder(backupFolder, 0o700);
    await makeBackup(file, copy);
  }
  try {
    client
      .transaction(() => {
        for (const { statements } of migrations.slice(layout)) client.exec(statements);
        client.pragma(`user_version = ${layoutVersion}`);
      })
      .immediate();
  } catch (error) {
    // Nothing has changed, and every new attempt to start would leave another one.
    rmSync(copy, { force: true });
    throw new WrongDatabase(
      `${file} could not be brought from layout ${layout} to ${layoutVersion}: ${(error as Error).message}. It is as it was.`,
    );
  }
  client.pragma("wal_checkpoint(TRUNCATE)");
}

export interface LayoutState {
  /** Of the file. */
  layout: number;
  currentLayout: number;
  /** Migrations that the next start will apply, in their order. */
  pending: string[];
}

/** @throws WrongDatabase where the file is missing, not ours, or a newer program's */
export async function readLayout(file: string): Promise<LayoutState> {
  const client = openForReading(file);
  try {
    const layout = layoutOf(client);
    return {
      layout,
      currentLayout: layoutVersion,
      pending: migrations.slice(layout).map(({ name }) => name),
    };
  } finally {
    client.close();
  }
}

const layoutOf = (client: Sqlite.Database) =>
  client.pragma("user_version", { simple: true }) as number;
