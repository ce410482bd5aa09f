import type { Command } from "commander";
import { discardEmails, listEmails, retryEmails } from "#db/operations/unsent-emails.ts";
import type { Db } from "#db/sqlite/open.ts";
import { clearTraces } from "#db/sqlite/traces.ts";
import { confirm, counted } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

export function addOutbox(root: Command, { withDatabase }: Installation): void {
  const outbox = root.command("outbox").description("letters on their way");
  outbox
    .command("list")
    .description("list the letters that have not been sent, newest first")
    .option("--all", "those that have been sent too")
    .option("--json", "as JSON")
    .action((options: { all?: true; json?: true }) => withDatabase((db) => list(db, options)));
  outbox
    .command("retry [letters...]")
    .description("send letters that were given up, or that wait for their next attempt, at once")
    .option("--all", "all of them")
    .option("--json", "as JSON")
    .action((emails: string[], options: { all?: true; json?: true }) =>
      withDatabase((db) => retry(db, emails, options)),
    );
  outbox
    .command("discard <letters...>")
    .description(
      "delete letters; the requests that they tell of stay, and marks are no longer published",
    )
    .option("--yes", "do not ask")
    .option("--json", "as JSON")
    .action((emails: string[], options: { yes?: true; json?: true }) =>
      withDatabase((db) => discard(db, emails, options)),
    );
}

async function list(db: Db, { all = false, json }: { all?: boolean; json?: true }): Promise<void> {
  const emails = await listEmails(db, all);
  if (json) {
    printJson(emails);
    return;
  }
  if (emails.length === 0) process.stderr.write("No letters are waiting.\n");
  for (const { id, reference, createdAt, status, attempts, subject, lastError } of emails) {
    const cells = [id, reference, createdAt, status, `attempts ${attempts}`, subject, lastError];
    print(cells.filter((cell) => cell !== null).join("  "));
  }
}

async function retry(db: Db, typed: string[], { all, json }: { all?: true; json?: true }) {
  if (typed.length > 0 === Boolean(all)) {
    throw new CommandFailed("Give letters by their numbers, or --all.", exitCodes.usage);
  }
  const retried = await retryEmails(db, all ? undefined : numbers(typed), new Date());
  complainOf(
    typed,
    retried,
    "is held or has been sent, or its link is gone (see results publish), or it is not there",
  );
  if (json) printJson({ retried });
  process.stderr.write(`${dueNow(retried.length)}\n`);
  if (all) await reportUnsendable(db);
}

function dueNow(count: number): string {
  if (count === 0) return "No letter is due.";
  const pronoun = count === 1 ? "it goes" : "they go";
  return `${counted(count, "letter")} due now; ${pronoun} out within a minute while the server runs.`;
}

/** Those that are still given up have lost their link. */
async function reportUnsendable(db: Db): Promise<void> {
  for (const { id, reference, status } of await listEmails(db, false)) {
    if (status !== "failed") continue;
    process.stderr.write(
      `Letter ${id} was left, for its link is gone: results publish ${reference} writes another.\n`,
    );
  }
}

async function discard(db: Db, typed: string[], { yes, json }: { yes?: true; json?: true }) {
  const wanted = numbers(typed);
  await confirm(`${counted(wanted.length, "letter")} will be deleted for good.`, yes);
  const discarded = await discardEmails(db, wanted, new Date());
  await clearTraces(db, []);
  complainOf(typed, discarded, "is not there");
  if (json) printJson({ discarded });
  process.stderr.write(`${counted(discarded.length, "letter")} deleted.\n`);
}

function numbers(typed: string[]): number[] {
  const wrong = typed.find((text) => !/^\d{1,15}$/.test(text));
  if (wrong !== undefined) {
    throw new CommandFailed(
      `${wrong} is not the number of a letter; see outbox list.`,
      exitCodes.usage,
    );
  }
  return typed.map(Number);
}

function complainOf(typed: string[], done: number[], why: string): void {
  const left = typed.filter((text) => !done.includes(Number(text)));
  if (left.length > 0) throw new CommandFailed(`Letter ${left.join(", ")} ${why}.`);
}
