import { existsSync } from "node:fs";
import type { Command } from "commander";
import { sqliteFiles } from "#db/engine.ts";
import { program } from "../../brand.ts";
import { counted } from "../../domain/counted.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { comparedIn, verifyFile } from "./backup.ts";
import { confirm } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

interface Options extends Json {
  dryRun?: true;
  yes?: true;
}

export function addRestore(root: Command, { readSettings }: Installation): void {
  root
    .command("restore <file>")
    .description(
      "replace the database with a backup, and set the old one aside; stop the server first",
    )
    .option("--dry-run", "only verify the backup, and print what would be done")
    .option("--yes", "do not ask for confirmation")
    .option("--json", "print JSON")
    .action((file: string, options: Options) => restoreFrom(file, readSettings(), options));
}

async function restoreFrom(
  file: string,
  { databaseFile, databaseUrl }: Settings,
  { dryRun, yes, json }: Options,
) {
  if (databaseUrl !== undefined) {
    throw new CommandFailed(
      `The data is in a PostgreSQL database (${variableOf("DATABASE_URL")}), which is restored from its own backups. To fill an empty one from this file: ${program.command} database copy --from ${file}`,
      exitCodes.configuration,
    );
  }
  const { readSchemaState, restore, withServerLock } = await sqliteFiles();
  const verified = await verifyFile(file);
  const { requests, files, matchesChecksum } = verified;
  const { schemaVersion, pending } = readSchemaState(file);
  const run = async () => {
    const content = `${counted(requests, "request")} and ${counted(files, "file")}`;
    const consequence = `${databaseFile} will be replaced with ${file}: ${content} (${comparedIn(verified)}).`;
    const report = { file, schemaVersion, requests, files, matchesChecksum, restored: !dryRun };
    if (dryRun) {
      if (json) printJson(report);
      else print(consequence);
      return;
    }
    await confirm(consequence, yes);
    const setAside = restore(file, databaseFile, new Date());
    if (json) printJson({ ...report, setAside: setAside ?? null });
    else print(`${databaseFile}  ${content}`);
    const lines = [
      setAside &&
        `${setAside.endsWith("-wal") ? "What was left of an old database" : "The old database"} was set aside: ${setAside}`,
      pending.length > 0 &&
        "The backup has an older schema; the server migrates it at its next start.",
      "Data deleted after this backup was taken is back. Erase those people again (subject erase), and learners (class remove).",
      "Links closed since are open again: results revoke, marking close, requests link --close.",
    ];
    process.stderr.write(`${lines.filter(Boolean).join("\n")}\n`);
  };
  // A dry run must not create the lock's file. Without a database it needs no lock, because no server is running.
  await (dryRun && !existsSync(databaseFile) ? run() : withServerLock(databaseFile, run));
}
