import path from "node:path";
import type { TestContext } from "node:test";
import type * as connectionModule from "../../db/sqlite/connection.ts";
import type * as openModule from "../../db/sqlite/open.ts";
import type { Operations } from "../../db/store.ts";
import { atEnd } from "./at-end.ts";
import { newFolder } from "./server.ts";
import { loadSource } from "./source.ts";

export interface OpenedStore {
  store: Operations;
  connection: connectionModule.Connection;
  file: string;
}

/** A store over a new database file, in this process. */
export async function openStore(t: TestContext): Promise<OpenedStore> {
  const { openDatabase } = await loadSource<typeof openModule>("/db/sqlite/open.ts");
  const { operationsOver } = await loadSource<typeof connectionModule>("/db/sqlite/connection.ts");
  const folder = newFolder(t);
  const file = path.join(folder, "store.db");
  const connection = await openDatabase(file, path.join(folder, "backups"));
  atEnd(t, () => connection.close());
  return { store: operationsOver(connection), connection, file };
}
