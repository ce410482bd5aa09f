import type { Command } from "commander";
import { readSchemaState } from "#db/sqlite/migrate-file.ts";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

export function addMigrate(root: Command, installation: Installation): void {
  root
    .command("migrate")
    .description("the layout of the database; each start brings it up to date")
    .command("status")
    .description("print the file’s layout, the program’s, and what the next start will apply")
    .option("--json", "as JSON")
    .action((options: { json?: true }) => migrateStatus(installation, options));
}

async function migrateStatus({ readSettings }: Installation, { json }: { json?: true }) {
  const { databaseFile, backups } = readSettings();
  const state = await readSchemaState(databaseFile);
  if (json) {
    printJson({ file: databaseFile, ...state });
    return;
  }
  print(`File:     layout ${state.schemaVersion}  ${databaseFile}`);
  print(`Program:  layout ${state.currentSchemaVersion}`);
  for (const name of state.pending) print(`Pending:  ${name}`);
  process.stderr.write(
    state.pending.length === 0
      ? "The file is up to date.\n"
      : `The next start applies what is pending, and puts a copy of the file as it is into ${backups.folder} first.\n`,
  );
}
