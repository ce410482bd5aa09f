import type { Command } from "commander";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { subjectErase } from "./subject-erase.ts";
import { subjectExport } from "./subject-export.ts";

export function addSubject(root: Command, { readSettings, withDatabase }: Installation): void {
  const subject = root
    .command("subject")
    .description("what is kept about a person, by e-mail address (POPIA)");
  subject
    .command("export <email>")
    .description("write everything that is kept under an address into a folder, files too")
    .requiredOption("--out <folder>", "a folder that is not there yet")
    .option("--json", "print the paths as JSON")
    .action((email: string, options: { out: string; json?: true }) =>
      withDatabase((db) => subjectExport(db, addressIn(email), options)),
    );
  subject
    .command("erase <email>")
    .description(
      "delete everything that is kept under an address, and name the backups that hold it",
    )
    .option("--yes", "do not ask")
    .option("--json", "as JSON")
    .action((email: string, options: { yes?: true; json?: true }) =>
      withDatabase((db) => subjectErase(db, readSettings(), addressIn(email), options)),
    );
}

function addressIn(typed: string): string {
  if (/^\s*[^@\s]+@[^@\s]+\s*$/.test(typed)) return typed;
  throw new CommandFailed(`${typed} is not an e-mail address.`, exitCodes.usage);
}
