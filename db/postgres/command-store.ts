import { operationsVia } from "../calls.ts";
import { operationNames } from "../operations/index.ts";
import type { CommandStore } from "../store.ts";
import type { DatabaseAddress } from "./address.ts";
import { openExistingDatabase } from "./open.ts";

/**
 * Opens an existing database for a command. Servers may be running.
 * @throws as `openExistingDatabase`
 */
export async function openCommandStore(address: DatabaseAddress): Promise<CommandStore> {
  const database = await openExistingDatabase(address);
  return {
    ...operationsVia(operationNames, (call) => database.run(call)),
    // Nothing to do: PostgreSQL's vacuum removes deleted rows later.
    async scrub() {},
    close: () => database.close(),
  };
}
