import { operationsVia } from "../calls.ts";
import type { Engine } from "../engine.ts";
import { storeInThread } from "../server-store.ts";
import type { CommandStore } from "../store.ts";
import { startThread } from "../thread.ts";
import { type DatabaseAddress, describeAddress, parseAddress } from "./address.ts";
import { newerSchema, readSchemaVersion } from "./migrate.ts";
import { connectOnce, openExistingDatabase } from "./open.ts";
import { currentSchemaVersion, migrations } from "./schema-version.ts";

/** Longer than any request may take. */
const maxRequestMs = 2 * 60 * 60 * 1000;

/** One database, any number of servers. */
export function postgresEngine(url: string, connections: number): Engine {
  const address = parseAddress(url);
  return {
    place: describeAddress(address),
    file: undefined,
    currentSchemaVersion,
    minStaleMs: maxRequestMs,
    openServerStore: (events) =>
      storeInThread(startThread("postgres-thread", { url, connections }), events),
    openCommandStore: () => openCommandStore(address),
    readSchemaState: () => readSchemaState(address),
    async makeBackup(file) {
      const { copyIntoFile } = await import("./copy-out.ts");
      return await copyIntoFile(address, file);
    },
  };
}

async function openCommandStore(address: DatabaseAddress): Promise<CommandStore> {
  const database = await openExistingDatabase(address);
  return {
    ...operationsVia((call) => database.run(call)),
    // The vacuum of PostgreSQL does it later, and its backups have their own schedule.
    async scrub() {},
    close: () => database.close(),
  };
}

async function readSchemaState(address: DatabaseAddress) {
  const schemaVersion = await connectOnce(
    address,
    async (client) => (await readSchemaVersion(client)) ?? 0,
  );
  if (schemaVersion > currentSchemaVersion) throw newerSchema(schemaVersion);
  const pending = migrations.slice(schemaVersion).map(({ name }) => name);
  return { schemaVersion, currentSchemaVersion, pending };
}
