import type { Command } from "commander";
import { readSchemaState } from "#db/sqlite/migrate-file.ts";
import { restore, withServerStopped } from "#db/sqlite/restore-file.ts";
import { verified } from "./backup.ts";
import { confirm, counted } from "./confirm.ts";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

interface Options {
  dryRun?: true;
  yes?: true;
  json?: true;
}

export function addRestore(root: Command, { readSettings }: Installation): void {
  root
    .command("restore <file>")
    .description(
      "put a backup in the place of the database, which is kept; not while the server runs",
    )
    .option("--dry-run", "only verify the backup, and say what would be done")
    .option("--yes", "do not ask")
    .option("--json", "as JSON")
    .action((file: string, options: Options) =>
      restoreFrom(file, readSettings().databaseFile, options),
    );
}

async function restoreFrom(file: string, databaseFile: string, { dryRun, yes, json }: Options) {
  const { requests, files } = await verified(file);
  const { schemaVersion, pending } = await readSchemaState(file);
  await withServerStopped(databaseFile, async () => {
    const content = `${counted(requests, "request")} and ${counted(files, "file")}`;
    const what = `${databaseFile} will be what ${file} holds: ${content}.`;
    if (dryRun) {
      if (json) printJson({ file, schemaVersion, requests, files, restored: false });
      else print(what);
      return;
    }
    await confirm(what, yes);
    const kept = await restore(file, databaseFile, new Date());
    if (json)
      printJson({ file, schemaVersion, requests, files, restored: true, kept: kept ?? null });
    else print(`${databaseFile}  ${content}`);
    const lines = [
      kept ? `The database as it was is kept: ${kept}` : "",
      pending.length > 0 ? "It has an older layout; the next start brings it up to date." : "",
      "What was deleted after this backup was taken is back: erase those people again (subject erase).",
    ];
    process.stderr.write(`${lines.filter(Boolean).join("\n")}\n`);
  });
}
