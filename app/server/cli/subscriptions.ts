import type { Command } from "commander";
import { zonedTime } from "../../domain/day.ts";
import type { Subscription } from "../../domain/subscriber.ts";
import { csvHeader, csvLine } from "../results/csv.ts";
import type { AnnounceOptions } from "./announce.ts";
import { confirm } from "./confirm.ts";
import { addVacuumFlag, erase, scrub } from "./erase.ts";
import { CommandFailed } from "./exit.ts";
import { addFormat, type Format } from "./format.ts";
import type { Installation, Opened } from "./installation.ts";
import { printJson, printParts } from "./print.ts";
import { addListFlags, type ListOptions, printList } from "./table.ts";

export function addSubscriptions(root: Command, { onStore }: Installation): void {
  const subscriptions = root
    .command("subscriptions")
    .description("list, export, remove and write to subscribers");
  addListFlags(
    subscriptions
      .command("list")
      .description("list all addresses with the time of their consent, newest first"),
  ).action(onStore(list));
  addFormat(
    subscriptions
      .command("export")
      .description("print the addresses, without tests and suspected spam"),
  ).action(onStore(exportAll));
  subscriptions
    .command("announce <slug>")
    .description("email an article to the subscribers who have confirmed their address")
    .option("--dry-run", "print the email and the number of subscribers, send nothing")
    .option("--yes", "do not ask for confirmation")
    .action(
      onStore(async ({ store, readConfig }, slug: string, options: AnnounceOptions) => {
        const { announce } = await import("./announce.ts");
        await announce(store, await readConfig(), slug, options);
      }),
    );
  addVacuumFlag(
    subscriptions
      .command("remove <email>")
      .description("delete an address and its consent")
      .option("--yes", "do not ask for confirmation"),
  ).action(onStore(remove));
}

async function list({ store }: Opened, options: ListOptions): Promise<void> {
  const newestFirst = (await store.listSubscriptions()).toSorted((one, other) =>
    one.createdAt < other.createdAt ? 1 : -1,
  );
  printList(
    {
      items: newestFirst,
      timeOf: ({ createdAt }) => createdAt,
      none: "No subscribers.",
      header: ["EMAIL", "CONSENTED", "CONFIRMED", "TEST OR SPAM"],
      cellsOf: ({ email, createdAt, confirmedAt, spam, isTest }) => [
        email,
        zonedTime(createdAt),
        confirmedAt && zonedTime(confirmedAt),
        isTest ? "test" : spam,
      ],
    },
    options,
  );
}

async function exportAll({ store }: Opened, { format }: Format): Promise<void> {
  const people = (await store.listSubscriptions()).filter(
    ({ spam, isTest }) => spam === null && !isTest,
  );
  if (format === "json") {
    const cellsOf = (one: Subscription) => exported.map(([column, key]) => [column, one[key]]);
    printJson(people.map((one) => Object.fromEntries(cellsOf(one))));
  } else {
    const lines = people.map((one) => csvLine(exported.map(([, key]) => one[key])));
    await printParts([csvHeader(exported.map(([column]) => column)), ...lines]);
  }
}

/** The columns of the export, each with the property that it shows. */
const exported: [column: string, key: keyof Subscription][] = [
  ["email", "email"],
  ["consentedAt", "createdAt"],
  ["confirmedAt", "confirmedAt"],
  ["reference", "reference"],
];

async function remove(
  { store }: Opened,
  typed: string,
  options: { yes?: true; vacuum: boolean },
): Promise<void> {
  const subscription = await store.findSubscription(typed);
  if (!subscription) {
    // An earlier run may have deleted the address and failed at this step.
    await scrub(store, options);
    throw new CommandFailed("This address is not subscribed.");
  }
  const { email } = subscription;
  await confirm("The address and its consent will be deleted for good.", options.yes);
  await erase(store, { subscription: email }, "subscription removed");
  await scrub(store, options);
  process.stderr.write("Removed.\n");
}
