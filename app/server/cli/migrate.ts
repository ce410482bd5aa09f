import type { Command } from "commander";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

export function addMigrate(root: Command, installation: Installation): void {
  root
    .command("migrate")
    .description("show the state of the database schema; the server migrates it when it starts")
    .command("status")
    .description("print the schema versions of file and program, and pending migrations")
    .option("--json", "print JSON")
    .action((options: { json?: true }) => migrateStatus(installation, options));
}

async function migrateStatus({ readSettings }: Installation, { json }: { json?: true }) {
  const { readSchemaState } = await import("#db/sqlite/migrate-file.ts");
  const { databaseFile, backups } = readSettings();
  const state = await readSchemaState(databaseFile);
  if (json) {
    printJson({ file: databaseFile, ...state });
    return;
  }
  print(`File:     schema version ${state.schemaVersion}  ${databaseFile}`);
  print(`Program:  schema version ${state.currentSchemaVersion}`);
  for (const name of state.pending) print(`Pending:  ${name}`);
  process.stderr.write(
    state.pending.length === 0
      ? "The file is up to date.\n"
      : `At its next start the server copies the file and applies the pending migrations. The copy will be in ${backups.folder}.\n`,
  );
}
