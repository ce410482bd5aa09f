import type { Command } from "commander";
import type { Installation } from "./installation.ts";
import { requestsFiles } from "./requests-files.ts";
import { requestsList } from "./requests-list.ts";
import { requestsNotSpam } from "./requests-not-spam.ts";
import { requestsShow } from "./requests-show.ts";

export function addRequests(root: Command, { withDatabase }: Installation): void {
  const requests = root.command("requests").description("look into what visitors have sent");
  requests
    .command("list")
    .description("list all requests, newest first")
    .option("--spam", "list those in quarantine instead")
    .action((options: { spam?: true }) =>
      withDatabase((db) => requestsList(db, options.spam ?? false)),
    );
  requests
    .command("show <reference>")
    .description("print one request")
    .action((reference: string) => withDatabase((db) => requestsShow(db, reference)));
  requests
    .command("files <reference>")
    .description("write a request’s files into a folder; never overwrites")
    .requiredOption("--out <folder>", "the folder, made where it is missing")
    .action((reference: string, options: { out: string }) =>
      withDatabase((db) => requestsFiles(db, reference, options.out)),
    );
  requests
    .command("not-spam <reference>")
    .description("take a request out of quarantine, so that its letter is sent")
    .action((reference: string) => withDatabase((db) => requestsNotSpam(db, reference)));
}
