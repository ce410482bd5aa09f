import type { Command } from "commander";
import type { CommandStore, Store } from "#db/store.ts";
import { csvHeader, csvLine } from "../csv.ts";
import { confirm } from "./confirm.ts";
import { addVacuumFlag, erase, scrub } from "./erase.ts";
import { CommandFailed } from "./exit.ts";
import { addFormat } from "./format.ts";
import type { Installation } from "./installation.ts";
import { printJson, printParts } from "./print.ts";
import { addListFlags, choose, type ListOptions, localTime, printTable } from "./table.ts";

interface RemoveOptions {
  yes?: true;
  json?: true;
  vacuum: boolean;
}

export function addSubscriptions(root: Command, { withStore }: Installation): void {
  const subscriptions = root
    .command("subscriptions")
    .description("list, export and remove subscribers to news of the blog");
  addListFlags(
    subscriptions
      .command("list")
      .description("list all addresses with the time of their consent, newest first"),
  ).action((options: ListOptions) => withStore((store) => list(store, options)));
  addFormat(
    subscriptions
      .command("export")
      .description("print the addresses to write to, without tests and suspected spam"),
  ).action(({ format }: { format: "csv" | "json" }) =>
    withStore((store) => exportAll(store, format)),
  );
  addVacuumFlag(
    subscriptions
      .command("remove <email>")
      .description("delete an address and its consent")
      .option("--yes", "do not ask for confirmation")
      .option("--json", "print JSON"),
  ).action((email: string, options: RemoveOptions) =>
    withStore((store) => remove(store, email, options)),
  );
}

async function list(store: Store, options: ListOptions): Promise<void> {
  const newestFirst = (await store.listSubscriptions()).toSorted((one, other) =>
    one.createdAt < other.createdAt ? 1 : -1,
  );
  const subscriptions = choose(newestFirst, ({ createdAt }) => createdAt, options);
  if (options.json) printJson(subscriptions);
  else {
    printTable(
      ["EMAIL", "CONSENTED", "TEST OR SPAM"],
      subscriptions.map(({ email, createdAt, spam, isTest }) => [
        email,
        localTime(createdAt),
        isTest ? "test" : spam,
      ]),
    );
  }
}

async function exportAll(store: Store, format: "csv" | "json"): Promise<void> {
  const people = (await store.listSubscriptions())
    .filter(({ spam, isTest }) => spam === null && !isTest)
    .map(({ email, createdAt, reference }) => ({ email, consentedAt: createdAt, reference }));
  if (format === "json") printJson(people);
  else {
    const lines = people.map(({ email, consentedAt, reference }) =>
      csvLine([email, consentedAt, reference]),
    );
    await printParts([csvHeader(["email", "consentedAt", "reference"]), ...lines]);
  }
}

async function remove(store: CommandStore, typed: string, options: RemoveOptions): Promise<void> {
  const subscription = await store.findSubscription(typed);
  if (!subscription) throw new CommandFailed("This address is not subscribed.");
  const { email } = subscription;
  await confirm("The address and its consent will be deleted for good.", options.yes);
  await erase(store, { subscription: email }, "subscription removed");
  await scrub(store, options);
  if (options.json) printJson({ removed: email });
  process.stderr.write("Removed.\n");
}
