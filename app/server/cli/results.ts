import type { Command } from "commander";
import { resultsSchema } from "../../results/results-file.ts";
import type { Installation } from "./installation.ts";
import { resultsImport } from "./results-import.ts";
import { resultsPublish, resultsRevoke } from "./results-publish.ts";

export function addResults(root: Command, { readConfig, withDatabase }: Installation): void {
  const results = root.command("results").description("hand marks over to who asked for them");
  results
    .command("schema")
    .description("print the JSON schema of a results file")
    .action(() => {
      process.stdout.write(`${JSON.stringify(resultsSchema(), null, 2)}\n`);
    });
  results
    .command("import <reference> <file>")
    .description("take in the marks of a request; those that were there are kept apart")
    .option("--json", "as JSON")
    .action((reference: string, file: string, options: { json?: true }) =>
      withDatabase((db) => resultsImport(db, reference, file, options)),
    );
  results
    .command("publish <reference>")
    .description("write to the educator with a private link to the marks")
    .option("--json", "as JSON")
    .action((reference: string, options: { json?: true }) =>
      withDatabase((db) => resultsPublish(db, reference, readConfig(), options)),
    );
  results
    .command("revoke <reference>")
    .description("close the link to the marks again")
    .option("--json", "as JSON")
    .action((reference: string, options: { json?: true }) =>
      withDatabase((db) => resultsRevoke(db, reference, options)),
    );
}
