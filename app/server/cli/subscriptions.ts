import type { Command } from "commander";
import type { Db } from "#db/open.ts";
import { listSubscriptions, removeSubscription } from "#db/subscription.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { print } from "./print.ts";

export function addSubscriptions(root: Command, { withDatabase }: Installation): void {
  const subscriptions = root.command("subscriptions").description("who asked for news of the blog");
  subscriptions
    .command("list")
    .description("list all addresses with the time of their consent")
    .action(() => withDatabase(listAddresses));
  subscriptions
    .command("remove <email>")
    .description("forget an address")
    .action((email: string) => withDatabase((db) => removeAddress(db, email)));
}

async function listAddresses(db: Db): Promise<void> {
  for (const { email, createdAt, spam, isTest } of await listSubscriptions(db)) {
    print([email, createdAt, isTest ? "test" : (spam ?? "")].filter(Boolean).join("  "));
  }
}

async function removeAddress(db: Db, email: string): Promise<void> {
  if (!(await removeSubscription(db, email))) {
    throw new CommandFailed("This address is not subscribed.");
  }
  process.stderr.write("Removed.\n");
}
