import type { Command } from "commander";
import { erase } from "#db/operations/erasure.ts";
import { findSubscription, listSubscriptions } from "#db/operations/subscriptions.ts";
import type { Db } from "#db/sqlite/open.ts";
import { clearTraces } from "#db/sqlite/traces.ts";
import { confirm } from "./confirm.ts";
import { csv } from "./csv.ts";
import { CommandFailed } from "./exit.ts";
import { addFormat } from "./format.ts";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

export function addSubscriptions(root: Command, { withDatabase }: Installation): void {
  const subscriptions = root.command("subscriptions").description("who asked for news of the blog");
  subscriptions
    .command("list")
    .description("list all addresses with the time of their consent")
    .option("--json", "as JSON")
    .action((options: { json?: true }) => withDatabase((db) => listAddresses(db, options)));
  addFormat(
    subscriptions
      .command("export")
      .description("print those to write to, without tests and suspected spam"),
  ).action(({ format }: { format: "csv" | "json" }) =>
    withDatabase((db) => exportAddresses(db, format)),
  );
  subscriptions
    .command("remove <email>")
    .description("forget an address")
    .option("--yes", "do not ask")
    .option("--json", "as JSON")
    .action((email: string, options: { yes?: true; json?: true }) =>
      withDatabase((db) => removeAddress(db, email, options)),
    );
}

async function listAddresses(db: Db, { json }: { json?: true }): Promise<void> {
  const all = await listSubscriptions(db);
  if (json) printJson(all.map(({ id: _, fingerprint: __, ...shown }) => shown));
  else {
    for (const { email, createdAt, spam, isTest } of all) {
      print([email, createdAt, isTest ? "test" : (spam ?? "")].filter(Boolean).join("  "));
    }
  }
}

async function exportAddresses(db: Db, format: "csv" | "json"): Promise<void> {
  const people = (await listSubscriptions(db))
    .filter(({ spam, isTest }) => spam === null && !isTest)
    .map(({ email, createdAt, reference }) => ({ email, consentedAt: createdAt, reference }));
  if (format === "json") printJson(people);
  else process.stdout.write(csv(["email", "consentedAt", "reference"], people));
}

async function removeAddress(db: Db, email: string, { yes, json }: { yes?: true; json?: true }) {
  const subscription = await findSubscription(db, email);
  if (!subscription) throw new CommandFailed("This address is not subscribed.");
  await confirm("The address and its consent will be deleted for good.", yes);
  await erase(db, { subscription: email }, "subscription removed", new Date());
  await clearTraces(db, [Buffer.from(subscription.email), Buffer.from(subscription.reference)]);
  if (json) printJson({ removed: subscription.email });
  process.stderr.write("Removed.\n");
}
