import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { type DatabaseCopy, listCopies, makeFolder, sqliteFiles } from "#db/engine.ts";
import type { CommandStore } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { DeletedCounts, ErasedCounts, Subject } from "../../domain/data-subject.ts";
import { zonedTime } from "../../domain/day.ts";
import { writeFiles } from "../requests/request-files.ts";
import { subjectJson } from "../requests/subject-json.ts";
import { recordExport } from "./audit.ts";
import { confirm } from "./confirm.ts";
import { addVacuumFlag, erase, scrub } from "./erase.ts";
import { alreadyExists, CommandFailed, exitCodes } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

interface ExportOptions extends Json {
  out: string;
}

interface EraseOptions extends Json {
  dryRun?: true;
  yes?: true;
  vacuum: boolean;
}

export function addSubject(root: Command, { onStore }: Installation): void {
  const subject = root
    .command("subject")
    .description(
      "export or erase the data stored about a person, by email address; a marker or lead by name (POPIA)",
    );
  subject
    .command("export <person>")
    .description("write everything stored under an address into a folder, including files")
    .requiredOption("--out <folder>", "a folder that does not exist yet")
    .option("--json", "print the paths as JSON")
    .action(onStore(exportSubject));
  addVacuumFlag(
    subject
      .command("erase <person>")
      .description(
        "delete everything stored under an address, or replace the name of a marker or a lead, and list the backups that still contain it; ends with 0 also if nothing is stored (any more)",
      )
      .option("--dry-run", "only print what would be deleted, and the backups")
      .option("--yes", "do not ask for confirmation")
      .option("--json", "print JSON"),
  ).action(onStore(eraseSubject));
}

const learnersNote = "Learners are not looked for: class remove REFERENCE NUMBER erases one.";
const nameNote =
  "Senders are not looked for by name: requests list --find NAME lists their requests. A name under signed marks goes with its request.";
const addressNote =
  "Marking links without an address and the history of requests may still have the name: erase it too.";

/** How sentences speak of a person who is looked for by address, and by name. */
const kinds = {
  address: {
    sought: "a sender, subscriber, marker or lead of this address",
    notSought: learnersNote,
    data: "the person’s data",
  },
  name: {
    sought: "a marker, lead or proposer of this name",
    notSought: `${nameNote} ${learnersNote}`,
    data: "a marker, lead or proposer of this name",
  },
};

type Kind = keyof typeof kinds;

/** Returns whether an address was typed, or a name, which has no @. @throws CommandFailed for other texts */
function kindOf(person: string): Kind {
  if (/^\s*[^@\s]+@[^@\s]+\s*$/.test(person)) return "address";
  if (/^[^@]*[^@\s][^@]*$/.test(person)) return "name";
  throw new CommandFailed(`${person} is not an email address.`, exitCodes.usage);
}

/** Writes subject.json, with every row under its table's name, and a folder of files for each request with files. */
async function exportSubject(
  { store }: Opened,
  person: string,
  { out, json }: ExportOptions,
): Promise<void> {
  const kind = kindOf(person);
  const subject = await store.findSubject(person);
  if (!isStored(subject)) throw new CommandFailed(nothingFound(kind));
  if (existsSync(out)) throw alreadyExists(out);
  await recordExport(store, "subject exported");
  makeFolder(out, 0o700);
  const written = new Map<number, string>();
  for (const reference of subject.ids.uploaded_files ? subject.references : []) {
    const files = await store.listFiles(reference);
    for await (const file of writeFiles(store, files, path.join(out, reference))) {
      written.set(file.id, file.path);
    }
  }
  const record = path.join(out, "subject.json");
  await writeFile(record, subjectJson(store, subject, out, written), { flag: "wx", mode: 0o600 });
  const paths = [record, ...written.values()];
  if (json) printJson(paths);
  else for (const one of paths) print(one);
}

const isStored = ({ ids }: Subject) => Object.keys(ids).length > 0;

const nothingFound = (kind: Kind) =>
  `Nothing is stored about ${kinds[kind].sought}. ${kinds[kind].notSought}`;

/** A copy of the database that contains, or may contain, the person's data. */
interface MatchingCopy extends DatabaseCopy {
  /** Set if the copy cannot be read. */
  error?: string;
}

/**
 * Deletes a person's requests and subscription for good, replaces the name of a marker or lead, and prints the backups
 * that still contain the person's data.
 */
async function eraseSubject(
  { store, settings: { databaseFile, backups } }: Opened,
  person: string,
  options: EraseOptions,
): Promise<void> {
  const kind = kindOf(person);
  const subject = await store.findSubject(person);
  const { references, ids, emails } = subject;
  const found = {
    requests: references.length,
    files: ids.uploaded_files?.length ?? 0,
    emails,
    subscriptions: ids.subscriptions?.length ?? 0,
  };
  const named = replacedNames(subject.named);
  if (options.dryRun) {
    process.stderr.write(
      `To be deleted: ${summary(found)}.${named} Nothing was deleted. ${kinds[kind].notSought}\n`,
    );
  } else if (isStored(subject)) {
    await confirm(`To be deleted for good: ${summary(found)}.${named}`, options.yes);
  }
  const deleted = options.dryRun ? undefined : await deleteAll(store, person, subject, options);
  const mentions = await store.findMentions(person);
  const copies = await copiesContaining(person, listCopies(databaseFile, backups, new Date()));
  if (options.json) {
    printJson({
      ...(options.dryRun ? { wouldErase: found } : { erased: deleted ?? null }),
      mentionedIn: mentions,
      backups: copies,
    });
  } else {
    for (const { file, expiresAt, error } of copies) {
      print([file, expiryOf(expiresAt), error ?? ""].filter(Boolean).join("  "));
    }
  }
  if (options.dryRun) return;
  const lines = closingLines(kind, { deleted, named: subject.named, mentions, copies });
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** Returns what was deleted; undefined if nothing is stored about the person. */
async function deleteAll(
  store: CommandStore,
  person: string,
  subject: Subject,
  options: EraseOptions,
): Promise<ErasedCounts | undefined> {
  const all = { references: subject.references, subscription: person, marker: person };
  const deleted = isStored(subject) ? await erase(store, all, "subject erased") : undefined;
  // Scrub even if nothing was deleted: an earlier run may have deleted the data and failed at this step.
  await scrub(store, options);
  return deleted;
}

/** Returns sentences about the names that an erasure replaces or removes; empty if there are none. */
function replacedNames(named: Subject["named"]): string {
  const links = named.markingLinks;
  const acts = actsOf(named);
  const sentences = [
    links > 0 && ` The name is replaced on ${counted(links, "marking link")}; marks stay.`,
    acts > 0 &&
      ` ${counted(acts, "name")} in the history of requests ${acts === 1 ? "goes" : "go"}.`,
  ];
  return sentences.filter(Boolean).join("");
}

/** How many entries in the histories of requests name the person. */
const actsOf = ({ teamActions, imports }: Subject["named"]) => teamActions + imports;

const summary = ({ requests, files, emails, subscriptions }: DeletedCounts) =>
  [
    counted(requests, "request"),
    counted(files, "file"),
    counted(emails, "email"),
    counted(subscriptions, "subscription"),
  ].join(", ");

async function copiesContaining(
  person: string,
  candidates: DatabaseCopy[],
): Promise<MatchingCopy[]> {
  const { containsSubject } = await sqliteFiles();
  return candidates.flatMap((copy) => {
    try {
      return containsSubject(copy.file, person) ? [copy] : [];
    } catch (error) {
      return [{ ...copy, error: `cannot be read: ${(error as Error).message}` }];
    }
  });
}

const expiryOf = (expiresAt: Date | undefined) =>
  expiresAt ? `deleted after ${zonedTime(expiresAt.toISOString())}` : "not deleted automatically";

function closingLines(
  kind: Kind,
  {
    deleted,
    named,
    mentions,
    copies,
  }: {
    deleted: ErasedCounts | undefined;
    named: Subject["named"];
    mentions: string[];
    copies: MatchingCopy[];
  },
): string[] {
  const unreadable = copies.filter(({ error }) => error !== undefined).length;
  const containing = copies.length - unreadable;
  const { markingLinks } = deleted ?? {};
  const acts = deleted ? actsOf(named) : 0;
  const { data } = kinds[kind];
  return [
    deleted ? `Erased: ${summary(deleted)}.` : nothingFound(kind),
    markingLinks &&
      `The marker’s name and address were replaced on ${counted(markingLinks, "marking link")}, closed now; marks stay.`,
    acts > 0 &&
      `${counted(acts, "name")} in the history of requests ${acts === 1 ? "was" : "were"} removed.`,
    deleted && kind === "name" && nameNote,
    markingLinks && kind === "address" && addressNote,
    mentions.length > 0 &&
      `The ${kind} also occurs in messages of other people, which were not changed: ${mentions.join(", ")}.`,
    containing > 0
      ? `${counted(containing, "backup")} still ${containing === 1 ? "contains" : "contain"} ${data}, as listed.`
      : `No ${unreadable > 0 ? "readable " : ""}backup in the data folder contains ${data}.`,
    unreadable > 0 &&
      `${counted(unreadable, "backup")} could not be read, and may contain ${data}.`,
    "This program cannot find copies in other places, such as emails, exported files and backups stored elsewhere.",
  ].flatMap((line) => line || []);
}
