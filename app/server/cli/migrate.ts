import type { Command } from "commander";
import { engineOf } from "#db/engine.ts";
import { capitalised } from "../../domain/capitalised.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

export function addMigrate(root: Command, installation: Installation): void {
  root
    .command("migrate")
    .description("show the state of the database schema")
    .command("status")
    .description("print the schema versions of database and program, and pending migrations")
    .option("--json", "print JSON")
    .action((options: Json) => migrateStatus(installation, options));
}

async function migrateStatus({ readSettings }: Installation, { json }: Json) {
  const settings = readSettings();
  const { place, file, readSchemaState } = await engineOf(settings);
  const state = await readSchemaState();
  const kind = file === undefined ? "database" : "file";
  if (json) {
    printJson({ [kind]: place, ...state });
    return;
  }
  const title = `${capitalised(kind)}:`;
  print(`${title.padEnd(9)} schema version ${state.schemaVersion}  ${place}`);
  print(`Program:  schema version ${state.currentSchemaVersion}`);
  for (const name of state.pending) print(`Pending:  ${name}`);
  const consequence =
    file === undefined
      ? "At its next start a server applies the pending migrations. It makes no copy before: make a backup."
      : `At its next start the server copies the file and applies the pending migrations. The copy will be in ${settings.backups.folder}.`;
  process.stderr.write(
    state.pending.length === 0 ? `The ${kind} is up to date.\n` : `${consequence}\n`,
  );
}
