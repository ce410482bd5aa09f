import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { DatabaseMismatch, FileExists } from "#db/errors.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { counted } from "./plural.ts";
import { print, printJson } from "./print.ts";

export function addBackup(root: Command, { readSettings }: Installation): void {
  const backup = root
    .command("backup <file>")
    .description("write a verified copy of the database (- for stdout); the server may be running")
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
  if (file === "-") return printBackup(databaseFile);
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EROFS") {
      throw new CommandFailed(`${folder} cannot be written by this account (${code}).`);
    }
    throw error instanceof FileExists ? new CommandFailed(alreadyExists(file)) : error;
  }
}

/** Prints a verified backup; on the way it is a file next to the database, with as much room. */
async function printBackup(databaseFile: string): Promise<void> {
  if (process.stdout.isTTY) {
    throw new CommandFailed("Pipe the backup into a program or a file.", exitCodes.usage);
  }
  const [{ makeBackup }, { checkDatabaseFile }] = await Promise.all([
    import("#db/sqlite/backup-file.ts"),
    import("#db/sqlite/open-for-reading.ts"),
  ]);
  checkDatabaseFile(databaseFile);
  const folder = mkdtempSync(path.join(path.dirname(databaseFile), "printed-backup-"));
  try {
    const file = path.join(folder, "backup.db");
    await makeBackup(databaseFile, file);
    await pipeline(createReadStream(file), process.stdout, { end: false });
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
