import type { Command } from "commander";
import { addFormat } from "./format.ts";
import type { Installation } from "./installation.ts";
import { requestsExport } from "./requests-export.ts";
import { requestsFiles } from "./requests-files.ts";
import { requestsList } from "./requests-list.ts";
import { requestsNotSpam } from "./requests-not-spam.ts";
import { type PurgeOptions, requestsPurge } from "./requests-purge.ts";
import { requestsShow } from "./requests-show.ts";

export function addRequests(root: Command, { withDatabase }: Installation): void {
  const requests = root.command("requests").description("look into what visitors have sent");
  requests
    .command("list")
    .description("list all requests, newest first")
    .option("--spam", "list those in quarantine instead")
    .option("--json", "as JSON")
    .action((options: { spam?: true; json?: true }) =>
      withDatabase((db) => requestsList(db, options)),
    );
  requests
    .command("show <reference>")
    .description("print one request")
    .option("--json", "as JSON")
    .action((reference: string, options: { json?: true }) =>
      withDatabase((db) => requestsShow(db, reference, options)),
    );
  addFormat(
    requests.command("export").description("print all requests, those in quarantine too"),
  ).action(({ format }: { format: "csv" | "json" }) =>
    withDatabase((db) => requestsExport(db, format)),
  );
  requests
    .command("files <reference>")
    .description("write a request’s files into a folder; never overwrites")
    .requiredOption("--out <folder>", "the folder, made where it is missing")
    .option("--json", "print the paths as JSON")
    .action((reference: string, options: { out: string; json?: true }) =>
      withDatabase((db) => requestsFiles(db, reference, options)),
    );
  requests
    .command("not-spam <reference>")
    .description("take a request out of quarantine, so that its letter is sent")
    .option("--json", "as JSON")
    .action((reference: string, options: { json?: true }) =>
      withDatabase((db) => requestsNotSpam(db, reference, options)),
    );
  requests
    .command("purge [references...]")
    .description("delete requests with their files and letters, so that no byte is left")
    .option("--older-than <days>", "all that came more than so many days ago")
    .option("--yes", "do not ask")
    .option("--json", "as JSON")
    .action((references: string[], options: PurgeOptions) =>
      withDatabase((db) => requestsPurge(db, references, options)),
    );
}
