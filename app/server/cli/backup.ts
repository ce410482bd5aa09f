import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { DatabaseMismatch, FileExists } from "#db/errors.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { counted } from "./plural.ts";
import { print, printJson } from "./print.ts";

export function addBackup(root: Command, { readSettings }: Installation): void {
  const backup = root
    .command("backup <file>")
    .description("write a verified copy of the database; the server may be running")
    .option("--json", "print JSON")
    .action((file: string, options: { json?: true }) =>
      writeBackup(readSettings().databaseFile, file, options),
    );
  backup
    .command("verify <file>")
    .description("check every page and every file of a backup")
    .option("--json", "print JSON")
    .action((file: string, _: unknown, command: Command) =>
      verify(file, command.optsWithGlobals()),
    );
}

async function writeBackup(databaseFile: string, file: string, { json }: { json?: true }) {
  if (existsSync(file)) throw new CommandFailed(alreadyExists(file));
  const folder = path.dirname(path.resolve(file));
  if (!existsSync(folder)) throw new CommandFailed(`There is no folder ${folder}.`);
  const [{ makeBackup }, { checkDatabaseFile }] = await Promise.all([
    import("#db/sqlite/backup-file.ts"),
    import("#db/sqlite/open-for-reading.ts"),
  ]);
  checkDatabaseFile(databaseFile);
  try {
    report(file, await makeBackup(databaseFile, file), json);
  } catch (error) {
    throw error instanceof FileExists ? new CommandFailed(alreadyExists(file)) : error;
  }
}

const alreadyExists = (file: string) => `${file} already exists; nothing was overwritten.`;

async function verify(file: string, { json }: { json?: true }): Promise<void> {
  report(file, await verifyFile(file), json);
}

/**
 * Verifies a backup and returns the numbers of its requests and files.
 * @throws CommandFailed if it is damaged or not a backup of this program
 */
export async function verifyFile(file: string) {
  try {
    if (existsSync(file) && !statSync(file).isFile())
      throw new DatabaseMismatch(`${file} is not a file.`);
    const { verifyBackup } = await import("#db/sqlite/backup-file.ts");
    return await verifyBackup(file);
  } catch (error) {
    throw error instanceof DatabaseMismatch ? new CommandFailed(error.message) : error;
  }
}

function report(file: string, content: { requests: number; files: number }, json?: true): void {
  if (json) printJson({ file, bytes: statSync(file).size, ...content });
  else {
    const { requests, files } = content;
    print(`${file}  sound  ${counted(requests, "request")}  ${counted(files, "file")}`);
  }
}
