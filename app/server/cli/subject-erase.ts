import { type Deleted, erase, plainAddress } from "#db/operations/erasure.ts";
import { findMentions, findSubject, holdsSubject } from "#db/operations/subjects.ts";
import { type Copy, listCopies } from "#db/sqlite/backup-folder.ts";
import type { Db } from "#db/sqlite/open.ts";
import { clearTraces, tracesOf } from "#db/sqlite/traces.ts";
import type { Settings } from "../config/settings.ts";
import { confirm, counted } from "./confirm.ts";
import { print, printJson } from "./print.ts";

interface Holder extends Copy {
  /** Why nobody can tell whether it holds the person, where it cannot be read. */
  fault?: string;
}

/** Deletes a person's requests and subscription for good, and prints the backups that still hold them. */
export async function subjectErase(
  db: Db,
  { databaseFile, backups }: Settings,
  email: string,
  { yes, json }: { yes?: true; json?: true },
): Promise<void> {
  const { references, rows } = await findSubject(db, email);
  const isKept = Object.keys(rows).length > 0;
  const found = {
    requests: references.length,
    files: rows.uploaded_files?.length ?? 0,
    emails: rows.outbox?.length ?? 0,
    subscriptions: rows.subscriptions?.length ?? 0,
  };
  if (isKept) await confirm(`To be deleted for good: ${summary(found)}.`, yes);
  // Under every spelling, and once more where an earlier run could not empty the log.
  const traces = [...tracesOf(db, references), ...spellings(rows, email)];
  const deleted =
    isKept && (await erase(db, { references, subscription: email }, "subject erased", new Date()));
  await clearTraces(db, traces);
  const mentions = await findMentions(db, email);
  const holders = holdersOf(email, listCopies(databaseFile, backups, new Date()));
  if (json) {
    printJson({ erased: deleted || null, mentionedIn: mentions, backups: holders });
  } else {
    for (const { file, expiresAt, fault } of holders) {
      print([file, untilWhen(expiresAt), fault ?? ""].filter(Boolean).join("  "));
    }
  }
  process.stderr.write(`${advice(deleted, mentions, holders).join("\n")}\n`);
}

const summary = ({ requests, files, emails, subscriptions }: Deleted) =>
  [
    counted(requests, "request"),
    counted(files, "file"),
    counted(emails, "letter"),
    counted(subscriptions, "subscription"),
  ].join(", ");

function spellings(rows: Record<string, Record<string, unknown>[]>, email: string): Buffer[] {
  const typed = Object.values(rows).flatMap((all) => all.flatMap((row) => row.email ?? []));
  return [...new Set([plainAddress(email), ...typed.map(String)])].map((text) => Buffer.from(text));
}

/** A backup that cannot be read may hold the person too. */
function holdersOf(email: string, copies: Copy[]): Holder[] {
  return copies.flatMap((copy) => {
    try {
      return holdsSubject(copy.file, email) ? [copy] : [];
    } catch (error) {
      return [{ ...copy, fault: `cannot be read: ${(error as Error).message}` }];
    }
  });
}

const untilWhen = (expiresAt: Date | undefined) =>
  expiresAt ? `deleted after ${expiresAt.toISOString()}` : "kept until somebody deletes it";

function advice(deleted: Deleted | false, mentions: string[], holders: Holder[]): string[] {
  return [
    deleted ? `Erased: ${summary(deleted)}.` : "Nothing is kept under this address.",
    mentions.length > 0
      ? `The address also stands in what others wrote, which was left: ${mentions.join(", ")}.`
      : "",
    holders.length > 0
      ? `${counted(holders.length, "backup")} still ${holders.length === 1 ? "holds" : "hold"} the person, as listed; each is deleted as new ones are made.`
      : "No backup in the data folder holds the person.",
    "Backups, letters and files that were taken elsewhere are not known to this program.",
  ].filter(Boolean);
}
