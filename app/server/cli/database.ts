import type { Command } from "commander";
import { parseAddress, postgresServers } from "#db/engine.ts";
import { program } from "../../brand.ts";
import { counted } from "../../domain/counted.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { confirm } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

interface Options extends Json {
  from?: string;
  to?: string;
  dryRun?: true;
  yes?: true;
}

export function addDatabase(root: Command, { readSettings }: Installation): void {
  root
    .command("database")
    .description("move the data to another database")
    .command("copy")
    .description(
      "copy a database file into an empty PostgreSQL database, and verify it; stop the server first",
    )
    .option("--from <file>", "the file: a database or a backup; default: the database file")
    .option(
      "--to <url>",
      `the PostgreSQL database; default: the one of ${variableOf("DATABASE_URL")}`,
    )
    .option("--dry-run", "only check both databases, and print what would be copied")
    .option("--yes", "do not ask for confirmation")
    .option("--json", "print JSON")
    .action((options: Options) => copy(readSettings(), options));
}

async function copy(settings: Settings, { from, to, dryRun, yes, json }: Options) {
  const file = from ?? settings.databaseFile;
  const { copyIntoServer, describeAddress } = await postgresServers();
  const address = await addressOf(to ?? settings.databaseUrl);
  const target = describeAddress(address);
  if (!dryRun) await confirm(`${file} will be copied to ${target}.`, yes);
  const { rows, files, bytes } = await copyIntoServer(file, address, { isDryRun: Boolean(dryRun) });
  const requests = (rows.contact_requests ?? 0) + (rows.rubric_requests ?? 0);
  if (json) {
    printJson({ from: file, to: target, copied: !dryRun, rows, files, bytes });
  } else {
    const content = `${counted(requests, "request")}  ${counted(files, "file")}  ${bytes} bytes`;
    print(`${target}  ${dryRun ? "to be copied" : "copied and verified"}  ${content}`);
  }
  if (dryRun) return;
  process.stderr.write(
    `Start the servers with ${variableOf("DATABASE_URL")}. ${file} was not changed, and is no longer used: keep it until the first backup of the database, then delete it. It has all data as of now. To return: ${program.command} backup FILE.\n`,
  );
}

async function addressOf(url: string | undefined) {
  if (url === undefined) {
    throw new CommandFailed(
      `Name the PostgreSQL database: --to, or ${variableOf("DATABASE_URL")}.`,
      exitCodes.usage,
    );
  }
  try {
    return parseAddress(url);
  } catch (error) {
    // The URL in the settings has been validated already, so the invalid URL is that of --to.
    throw new CommandFailed(`--to ${(error as Error).message}.`, exitCodes.usage);
  }
}
