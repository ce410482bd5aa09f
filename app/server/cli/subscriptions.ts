import type { Db } from "#db/open.ts";
import { listSubscriptions, removeSubscription } from "#db/subscription.ts";
import { CommandFailed } from "./exit.ts";
import { print } from "./print.ts";

export async function subscriptionsList(db: Db): Promise<void> {
  for (const { email, createdAt, spam, isTest } of await listSubscriptions(db)) {
    print([email, createdAt, isTest ? "test" : (spam ?? "")].filter(Boolean).join("  "));
  }
}

export async function subscriptionsRemove(db: Db, email: string): Promise<void> {
  if (!(await removeSubscription(db, email))) {
    throw new CommandFailed("This address is not subscribed.");
  }
  process.stderr.write("Removed.\n");
}
