import { type Command, Option } from "commander";
import type { Store } from "#db/store.ts";
import { parseReference } from "#server/requests/reference.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import { dayMs } from "../../domain/duration.ts";
import type { ListedRequest, RequestRecord } from "../../domain/request-record.ts";
import { requestForms } from "../../forms/all-forms.ts";
import { closeTeamLink, makeTeamLink, newEmailedTeamLink } from "../class-work/team-link.ts";
import { writeFiles } from "../requests/request-files.ts";
import { recordExport } from "./audit.ts";
import { confirm } from "./confirm.ts";
import { deliveryNote } from "./delivery-note.ts";
import { addVacuumFlag, erase, scrub } from "./erase.ts";
import { CommandFailed, exitCodes, failed } from "./exit.ts";
import { addFormat, wholeNumber } from "./format.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";
import { linesOf } from "./request-lines.ts";
import { exportRequests, plainRecord } from "./requests-export.ts";
import { addListFlags, type ListOptions, printList } from "./table.ts";

interface RequestsOptions extends ListOptions {
  spam?: true;
  form?: string;
  find?: string;
}

interface PurgeOptions extends Json {
  olderThan?: number;
  dryRun?: true;
  yes?: true;
  vacuum: boolean;
}

export function addRequests(root: Command, { onStore }: Installation): void {
  const requests = root
    .command("requests")
    .description("list, show, export and delete visitors’ requests");
  addListFlags(
    requests
      .command("list")
      .description("list the requests that are not in quarantine, newest first")
      .option("--spam", "list only those in quarantine")
      .option(
        "--find <text>",
        "those with this text in the name, email address or reference, in quarantine or not",
      )
      .addOption(
        new Option("--form <form>", "only those of a form").choices(
          requestForms.map((form) => form.name),
        ),
      ),
  ).action(onStore(list));
  requests
    .command("show <reference>")
    .description("print one request")
    .option("--json", "print JSON")
    .action(onStore(show));
  addFormat(
    requests.command("export").description("print all requests, including those in quarantine"),
  ).action(onStore(exportRequests));
  requests
    .command("files <reference>")
    .description("write a request’s files into a folder or a tar archive; never overwrites")
    .option("--out <folder>", "the folder, created if missing")
    .option("--tar <file>", "a tar archive instead; - for stdout")
    .option("--json", "print the paths as JSON")
    .action(onStore(files));
  requests
    .command("not-spam <reference>")
    .description("take a request out of quarantine and send its email")
    .action(onStore(releaseFromQuarantine));
  requests
    .command("link <reference>")
    .description(
      "print a new private link to the team’s page of an upload, and close the one before",
    )
    .option("--close", "only close it")
    .option("--json", "print JSON")
    .action(onStore(changeLink));
  addVacuumFlag(
    requests
      .command("purge [references...]")
      .description("delete requests with their files and emails for good")
      .option(
        "--older-than <days>",
        "all requests received more than this many days ago",
        wholeNumber(0, 99_999),
      )
      .option("--dry-run", "only print the references that would be deleted")
      .option("--yes", "do not ask for confirmation")
      .option("--json", "print JSON"),
  ).action(onStore(purge));
}

/** Lists the requests outside quarantine, or with --spam those in it. --find without --spam searches both. */
async function list({ store }: Opened, options: RequestsOptions): Promise<void> {
  const { spam: onlySpam = false, form: onlyForm, find } = options;
  const isSearch = find !== undefined;
  const isInList = (spam: string | null) => (spam === null ? !onlySpam : onlySpam || isSearch);
  const all = (await store.listRequests()).filter(
    (request) =>
      isInList(request.spam) &&
      (onlyForm === undefined || request.form === onlyForm) &&
      (find === undefined || hasText(request, find)),
  );
  printList(
    {
      items: all,
      timeOf: ({ receivedAt }) => receivedAt,
      none: `No requests${onlySpam ? " in quarantine" : ""}${isSearch ? ` with “${find}”` : ""}.`,
      header: [
        "REFERENCE",
        "RECEIVED",
        "FORM",
        "FILES",
        "NAME",
        "EMAIL",
        ...(isSearch ? ["LIST"] : []),
        ...(onlySpam ? ["SPAM"] : []),
      ],
      cellsOf: ({ reference, receivedAt, form, files, name, email, spam, isTest }) => [
        reference,
        zonedTime(receivedAt),
        isTest ? `${form} (test)` : form,
        files,
        name,
        email,
        ...(isSearch ? [spam === null ? "requests" : "quarantine"] : []),
        ...(onlySpam ? [spam] : []),
      ],
    },
    options,
  );
}

/**
 * Whether a request's name, email address or reference contains a text. Ignores case and how accents are encoded. The
 * text abcdefghjkmn finds the reference ABCD-EFGH-JKMN, and names with this text.
 */
function hasText({ name, email, reference }: ListedRequest, text: string): boolean {
  const plain = (value: string) => value.normalize().toLowerCase();
  const has = (value: string | null, sought: string) =>
    value && plain(value).includes(plain(sought));
  return (
    reference === parseReference(text) || [name, email, reference].some((value) => has(value, text))
  );
}

async function show({ store }: Opened, typed: string, { json }: Json): Promise<void> {
  const record = await requestOf(store, typed);
  if (json) printJson(plainRecord(record));
  else for (const line of linesOf(record)) print(line);
}

/** Writes the files byte for byte as they were sent: into a folder, printing each path, or into one tar archive. */
async function files(
  { store }: Opened,
  typed: string,
  { out, tar, json }: Json & { out?: string; tar?: string },
): Promise<void> {
  if ((out === undefined) === (tar === undefined)) {
    throw new CommandFailed("Give --out FOLDER or --tar FILE.", exitCodes.usage);
  }
  const { request } = await requestOf(store, typed);
  await recordExport(store, "files exported", request.reference);
  if (out === undefined) {
    const { writeArchive } = await import("./tar.ts");
    await writeArchive(store, request, tar!);
    if (json && tar !== "-") printJson([tar]);
    return;
  }
  const written: string[] = [];
  const files = await store.listFiles(request.reference);
  for await (const { path } of writeFiles(store, files, out)) {
    if (!json) print(path);
    written.push(path);
  }
  if (json) printJson(written);
  if (written.length === 0) process.stderr.write(`Request ${request.reference} has no files.\n`);
}

async function changeLink(
  { store, readConfig }: Opened,
  typed: string,
  { close, json }: Json & { close?: true },
): Promise<void> {
  const { reference } = (await requestOf(store, typed)).request;
  if (close) return closeLink(store, reference, json);
  // Closing needs no content, so it works even if the content is invalid.
  const config = await readConfig();
  const made = await makeTeamLink({ store, config, now: new Date() }, reference);
  if ("error" in made) throw failed(made);
  if (json) printJson({ reference, link: made.url });
  else print(made.url);
  process.stderr.write(
    `Anyone who has this link can take request ${reference} through marking and publish it. A link that was made before is closed. To close this one: requests link ${reference} --close.\n`,
  );
}

async function closeLink(store: Store, reference: string, json?: true): Promise<void> {
  const isClosed = await closeTeamLink(store, reference);
  if (json) printJson({ reference, closed: isClosed });
  process.stderr.write(
    isClosed
      ? `The link to the page of request ${reference} is closed.\n`
      : `Request ${reference} has no open link; nothing was changed.\n`,
  );
}

async function releaseFromQuarantine({ store, readConfig }: Opened, typed: string): Promise<void> {
  const { reference, isTest } = (await requestOf(store, typed)).request;
  const config = await readConfig();
  const teamLink = newEmailedTeamLink(config);
  if (!(await store.releaseFromQuarantine(reference, new Date(), teamLink))) {
    throw new CommandFailed(`Request ${reference} is not in quarantine.`);
  }
  process.stderr.write(
    `Request ${reference} is out of quarantine. ${deliveryNote(config, isTest)}\n`,
  );
}

async function purge({ store }: Opened, typed: string[], options: PurgeOptions): Promise<void> {
  const references = await chosenReferences(store, typed, options.olderThan);
  if (options.dryRun) {
    if (options.json) printJson({ wouldPurge: references });
    else for (const reference of references) print(reference);
    process.stderr.write(`${counted(references.length, "request")} would be deleted.\n`);
    return;
  }
  if (references.length > 0) {
    const requests = counted(references.length, "request");
    const named = references.length > 5 ? "" : ` (${references.join(", ")})`;
    await confirm(
      `${requests}${named} with all files and emails will be deleted for good.`,
      options.yes,
    );
  }
  const deleted = references.length > 0 && (await erase(store, { references }, "requests purged"));
  // Scrub even if nothing was deleted: an earlier run may have deleted the requests and failed at this step.
  await scrub(store, options);
  if (options.json) printJson({ purged: references, ...deleted });
  else for (const reference of references) print(reference);
  process.stderr.write(
    references.length > 0
      ? `${counted(references.length, "request")} deleted. Earlier backups still contain them.\n`
      : `${typed.length > 0 ? "These requests were deleted before" : "No request is that old"}; nothing was deleted.\n`,
  );
}

/**
 * Returns the typed references, or those of all requests that were received more than `days` days ago. Leaves out typed
 * references whose request was deleted before.
 */
async function chosenReferences(
  store: Store,
  typed: string[],
  days: number | undefined,
): Promise<string[]> {
  const areNamed = typed.length > 0;
  if (areNamed === (days !== undefined)) {
    throw new CommandFailed("Give references, or --older-than DAYS.", exitCodes.usage);
  }
  if (days !== undefined) return store.listReferences(new Date(Date.now() - days * dayMs));
  const named = typed.map((one) => ({ one, reference: parseReference(one) }));
  const references = named.flatMap(({ reference }) => reference ?? []);
  const deleted = new Set(await store.findDeleted(references));
  const left = named.filter(({ reference }) => !reference || !deleted.has(reference));
  const records = await Promise.all(left.map(({ one }) => requestOf(store, one)));
  return [...new Set(records.map(({ request }) => request.reference))];
}

/** Returns the request of a typed reference. @throws CommandFailed if the reference is misspelt or unknown */
export async function requestOf(store: Store, typed: string): Promise<RequestRecord> {
  const reference = parseReference(typed);
  if (!reference) {
    throw new CommandFailed(
      `${typed} is not a reference. A reference looks like ABCD-EFGH-JKMN and contains no 0, O, 1 or I.`,
    );
  }
  const record = await store.findRequest(reference, new Date());
  if (!record) throw new CommandFailed(`There is no request ${reference}.`);
  return record;
}
