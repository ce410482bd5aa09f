import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import * as z from "zod/mini";
import type { Store } from "#db/store.ts";
import { firstOf } from "../../domain/first-of.ts";
import type { MarkingTarget } from "../../domain/publication.ts";
import type { Results } from "../../domain/result.ts";
import { isJson, type ProposalsContent } from "../class-work/import-proposals.ts";
import { draftOf, sheetText } from "../class-work/proposals-sheet.ts";
import { CommandFailed } from "./exit.ts";
import type { Opened } from "./installation.ts";
import { printable, printJson, printNotes } from "./print.ts";
import { requestOf } from "./requests.ts";
import { reasonOf } from "./system-error.ts";

/** Returns the class of a request. @throws CommandFailed if there is no such request, or it has no submissions */
export async function markingTargetOf(
  store: Store,
  typed: string,
): Promise<MarkingTarget & { reference: string }> {
  const { reference } = (await requestOf(store, typed)).request;
  const target = await store.findMarkingTarget(reference);
  if (!target) throw new CommandFailed(`Request ${reference} has no submissions to mark.`);
  return { ...target, reference };
}

/** What to do about a class without marks. */
export const howToMark = "Mark it on the desk, marking open, or import a sheet: results import.";

/** Returns the marks of a request. @throws CommandFailed if there are none */
export async function importedResultsOf(
  store: Store,
  typed: string,
): Promise<{ reference: string; assessmentId: number; results: Results }> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const results = await store.findImportedResults(assessmentId);
  if (results) return { reference, assessmentId, results };
  throw new CommandFailed(`Request ${reference} has no marks yet. ${howToMark}`);
}

/**
 * Reads a results file: JSON, or a filled sheet if the file's name ends in .csv. Reads stdin (-) as JSON if the text
 * begins with a brace.
 * @throws CommandFailed if the file cannot be read at all
 */
export async function readResultsFile(file: string): Promise<ProposalsContent> {
  const text = await readText(file, isCsv(file) ? "CSV" : "JSON");
  const isSheet = file === "-" ? !isJson(text) : isCsv(file);
  return isSheet ? { sheet: text } : { json: parseJson(file, text) };
}

const keysFile = z.object({ reference: z.string(), learners: z.record(z.string(), z.int()) });

/** Returns the content of keys.json: the learners' ids by their keys in class.json. */
export const keysText = (reference: string, learners: Record<string, number>) =>
  `${JSON.stringify({ reference, learners } satisfies z.infer<typeof keysFile>, null, 2)}\n`;

/** Reads the learners' ids by key. @throws CommandFailed if the file is not the request's keys.json */
export async function readKeys(file: string, reference: string): Promise<Map<string, number>> {
  const { data } = keysFile.safeParse(parseJson(file, await readText(file, "JSON")));
  if (!data) throw new CommandFailed(`${file} is not a keys.json of class pages.`);
  if (data.reference !== reference) {
    throw new CommandFailed(`${file} has the keys of request ${printable(data.reference)}.`);
  }
  return new Map(Object.entries(data.learners));
}

/** Max size of a file. A larger file is not a sheet of a class, and would need several times its size in memory. */
const maxMegabytes = 64;

/**
 * Reads a file or stdin (-). @param format names the format in errors
 * @throws CommandFailed if the file is missing, empty, too large or not UTF-8
 */
export async function readText(file: string, format: "CSV" | "JSON"): Promise<string> {
  try {
    const bytes = await readLimited(file === "-" ? process.stdin : createReadStream(file));
    if (bytes.length === 0) throw new Error("it is empty");
    if (!isUtf8(bytes)) {
      throw new Error("it is not UTF-8; a spreadsheet program calls the format “CSV UTF-8”");
    }
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw unreadable(file, format, error);
  }
}

/** Reads a file, and throws as soon as too much has come: a pipe does not say its size. */
async function readLimited(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxMegabytes * 1_048_576) throw new Error(`it is larger than ${maxMegabytes} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(file, "JSON", error);
  }
}

function unreadable(file: string, format: "CSV" | "JSON", error: unknown): CommandFailed {
  const reason = reasonOf(error);
  if (reason) return new CommandFailed(`${file} cannot be read: ${reason}.`);
  const { message } = error as Error;
  return new CommandFailed(
    `${sourceName(file)} cannot be read as ${format}: ${printable(shortened(message))}.`,
  );
}

/** Returns the name of a command's file in messages. */
export const sourceName = (file: string) => (file === "-" ? "stdin" : file);

const isCsv = (file: string) => /\.csv$/i.test(file);

/** Max errors printed. A file of the wrong kind can have thousands of errors, some very long. */
const maxErrors = 100;
const shortened = (text: string) => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** Prints the first errors for the operator, and with --json all of them. */
export function reportErrors(errors: string[], json: true | undefined): void {
  if (json) printJson({ errors });
  printNotes(firstSentences(errors));
}

/** Returns the first sentences, shortened, then how many more there are. */
export const firstSentences = (all: readonly string[]): string[] =>
  firstOf(all, maxErrors).map(shortened);

/** Prints a results file to fill in, or to correct if there are marks already. */
export async function printTemplate(
  { store }: Opened,
  typed: string,
  { format, questions }: { format: "json" | "csv"; questions: number },
): Promise<void> {
  const { assessmentId } = await markingTargetOf(store, typed);
  const draft = await draftOf(store, assessmentId, questions);
  if (format === "json") printJson(draft);
  else process.stdout.write(sheetText(draft));
}
