import type { Engine, SchemaState } from "../engine.ts";
import { storeThread } from "../server-store.ts";
import { startThread } from "../thread.ts";
import { type DatabaseAddress, describeAddress, parseAddress } from "./address.ts";
import { currentSchemaVersion, migrationsAfter } from "./schema-version.ts";

/** The engine of a PostgreSQL database, which any number of servers share. */
export function postgresEngine(url: string, connections: number): Engine {
  const address = parseAddress(url);
  return {
    place: describeAddress(address),
    file: undefined,
    currentSchemaVersion,
    startThread: () => storeThread(startThread("postgres-thread", { url, connections })),
    async openCommandStore() {
      const { openCommandStore } = await import("./command-store.ts");
      return await openCommandStore(address);
    },
    readSchemaState: () => readSchemaState(address),
    async makeBackup(file) {
      const { copyIntoFile } = await import("./copy-out.ts");
      return await copyIntoFile(address, file);
    },
  };
}

async function readSchemaState(address: DatabaseAddress): Promise<SchemaState> {
  const { connectOnce } = await import("./open.ts");
  const { checkSchemaVersion, readSchemaVersion } = await import("./schema-migration.ts");
  const schemaVersion = await connectOnce(
    address,
    async (client) => (await readSchemaVersion(client)) ?? 0,
  );
  checkSchemaVersion(schemaVersion);
  const pending = migrationsAfter(schemaVersion).map(({ name }) => name);
  return { schemaVersion, currentSchemaVersion, pending };
}
