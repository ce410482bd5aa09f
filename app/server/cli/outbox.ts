import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import type { Channel, EmailKind } from "../../domain/email.ts";
import { idIn } from "../../domain/row-id.ts";
import { type SettingName, variableOf } from "../config/settings-table.ts";
import { confirm } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, printJson } from "./print.ts";
import { addListFlags, type ListOptions, printList } from "./table.ts";

export function addOutbox(root: Command, { onStore }: Installation): void {
  const outbox = root.command("outbox").description("list, retry and discard emails and webhooks");
  addListFlags(
    outbox
      .command("list")
      .description("list what has not been sent, newest first")
      .option("--all", "include what has been sent"),
  ).action(onStore(list));
  outbox
    .command("retry [emails...]")
    .description("retry pending and failed emails and webhooks now; give their ids, or --all")
    .option("--all", "retry all that are pending or have failed")
    .option("--json", "print JSON")
    .action(onStore(retry));
  outbox
    .command("discard <emails...>")
    .description(
      "delete emails and webhooks but not their requests; links to results in unsent emails are revoked",
    )
    .option("--yes", "do not ask for confirmation")
    .option("--json", "print JSON")
    .action(onStore(discard));
}

async function list({ store }: Opened, options: ListOptions & { all?: true }): Promise<void> {
  const { all = false } = options;
  printList(
    {
      items: await store.listEmails(all),
      timeOf: ({ createdAt }) => createdAt,
      none: all ? "No emails." : "No unsent emails.",
      header: ["ID", "ABOUT", "CREATED", "STATUS", "ATTEMPTS", "SUBJECT", "LAST ERROR"],
      cellsOf: ({ id, kind, reference, createdAt, status, attempts, subject, lastError }) => [
        id,
        reference ?? kind,
        zonedTime(createdAt),
        status,
        attempts,
        subject,
        lastError,
      ],
    },
    options,
  );
}

async function retry(
  { store, settings: { mail, webhook } }: Opened,
  typed: string[],
  { all, json }: Json & { all?: true },
): Promise<void> {
  const hasIds = typed.length > 0;
  if (hasIds === Boolean(all)) {
    throw new CommandFailed("Give emails by their ids, or --all.", exitCodes.usage);
  }
  const retried = await store.retryEmails(all ? undefined : idsIn(typed), new Date());
  if (json) printJson({ retried });
  const webhooks = countIn(retried, await webhookIds(store));
  const emails = retried.length - webhooks;
  // With --all, also report that nothing is due.
  const saysNone = all && webhooks === 0;
  if (emails > 0 || saysNone) reportDue(emails, "email", mail ? undefined : "MAIL_URL");
  if (webhooks > 0) reportDue(webhooks, "webhook", webhook ? undefined : "WEBHOOK_URL");
  if (all) await reportLostLinks(store);
  failForMissing(
    typed,
    retried,
    "is on hold, has been sent, is being sent, no longer has its link (see results publish), is a reminder that comes too late, or does not exist",
  );
}

async function webhookIds(store: Store): Promise<Set<number>> {
  const emails = await store.listEmails(true);
  return new Set(emails.filter(({ kind }) => kind === "webhook").map(({ id }) => id));
}

const countIn = (ids: number[], wanted: Set<number>) => ids.filter((id) => wanted.has(id)).length;

function reportDue(count: number, channel: Channel, unsetSetting: SettingName | undefined): void {
  const receiver = channel === "email" ? "mail server" : "receiver of webhooks";
  const outcome = unsetSetting
    ? `No ${receiver} is set (${variableOf(unsetSetting)}), so nothing is sent.`
    : "A running server sends within a minute.";
  const text =
    count === 0 ? `No ${channel} is due.` : `${counted(count, channel)} due now. ${outcome}`;
  process.stderr.write(`${text}\n`);
}

/** Reports emails that were not retried: late reminders, and emails whose private link was deleted. */
async function reportLostLinks(store: Store): Promise<void> {
  for (const { id, kind, reference, status } of await store.listEmails(false)) {
    if (status !== "failed") continue;
    const command = renewals[kind];
    const remedy = command ? ` To send a new link: ${command} ${reference}` : "";
    const reason =
      kind === "reminder" ? "its link has ended or the marks are signed" : "its link was deleted";
    process.stderr.write(`Email ${id} was not retried, because ${reason}.${remedy}\n`);
  }
}

/** The command that sends a new link, by the kind of the email. Other kinds have none. */
const renewals: Partial<Record<EmailKind, string>> = {
  results: "results publish",
  marking: "marking open",
};

async function discard(
  { store }: Opened,
  typed: string[],
  { yes, json }: Json & { yes?: true },
): Promise<void> {
  const ids = idsIn(typed);
  // Read the webhooks' ids before the rows are deleted.
  const webhooks = await webhookIds(store);
  await confirm(`${namedBy(ids, webhooks)} will be discarded for good.`, yes);
  const discarded = await store.discardEmails(ids, new Date());
  await store.scrub({ vacuum: false });
  if (json) printJson({ discarded });
  if (discarded.length > 0) {
    process.stderr.write(`${namedBy(discarded, webhooks)} discarded.\n`);
  }
  failForMissing(typed, discarded, "is being sent, or does not exist");
}

/** Counts what the ids name, as in “1 email and 2 webhooks”. */
function namedBy(ids: number[], webhookIds: Set<number>): string {
  const webhooks = countIn(ids, webhookIds);
  const emails = ids.length - webhooks;
  return [emails && counted(emails, "email"), webhooks && counted(webhooks, "webhook")]
    .filter(Boolean)
    .join(" and ");
}

function idsIn(typed: string[]): number[] {
  return typed.map((text) => {
    const id = idIn(text);
    if (id !== undefined) return id;
    throw new CommandFailed(`${text} is not the id of an email; see outbox list.`, exitCodes.usage);
  });
}

function failForMissing(typed: string[], done: number[], why: string): void {
  const missing = typed.filter((text) => !done.includes(Number(text)));
  if (missing.length > 0) throw new CommandFailed(`Email ${missing.join(", ")} ${why}.`);
}
