import {
  accessSync,
  constants,
  createReadStream,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import {
  type BackupContent,
  type Engine,
  engineOf,
  printedBackupPrefix,
  sqliteFiles,
} from "#db/engine.ts";
import { DatabaseMismatch } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { Settings } from "../config/settings.ts";
import { alreadyExists, CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

export function addBackup(root: Command, { readSettings }: Installation): void {
  const backup = root
    .command("backup <file>")
    .description("write a verified copy of the database (- is stdout)")
    .option("--json", "print JSON")
    .action((file: string, options: Json) => writeBackup(readSettings(), file, options));
  backup
    .command("verify <file>")
    .description("check every page and every file of a backup")
    .option("--json", "print JSON")
    // Commander gives a --json after `verify` to `backup`, which has that flag too.
    .action(async (file: string, _: unknown, command: Command) =>
      report(file, await verifyFile(file), command.optsWithGlobals<Json>().json),
    );
}

async function writeBackup(settings: Settings, file: string, { json }: Json) {
  const engine = await engineOf(settings);
  if (file === "-") return printBackup(engine);
  if (existsSync(file)) throw alreadyExists(file);
  accessSync(path.dirname(path.resolve(file)), constants.W_OK);
  report(file, await engine.makeBackup(file), json);
}

/** Writes a backup beside the database file, or for PostgreSQL into the temporary folder, and prints it. */
async function printBackup(engine: Engine): Promise<void> {
  if (process.stdout.isTTY) {
    throw new CommandFailed("Pipe the backup into a program or a file.", exitCodes.usage);
  }
  // Check the database before anything is written.
  await engine.readSchemaState();
  const parent = engine.file === undefined ? tmpdir() : path.dirname(engine.file);
  const folder = mkdtempSync(path.join(parent, printedBackupPrefix));
  const file = path.join(folder, "backup.db");
  let descriptor: number;
  try {
    await engine.makeBackup(file);
    descriptor = openSync(file, "r");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // The file has no name any more, so a command that is killed while it prints leaves no copy behind.
  await pipeline(createReadStream("", { fd: descriptor }), process.stdout, { end: false });
}

/**
 * Verifies a backup. Returns the numbers of its requests and files, and whether it matches its checksum.
 * @throws CommandFailed if it is damaged or not a backup of this program
 */
export async function verifyFile(file: string) {
  try {
    const { verifyBackup } = await sqliteFiles();
    return verifyBackup(file);
  } catch (error) {
    throw error instanceof DatabaseMismatch ? new CommandFailed(error.message) : error;
  }
}

/** Says what a verification has compared. */
export const comparedIn = ({ matchesChecksum }: BackupContent) =>
  matchesChecksum
    ? "every byte matches the checksum"
    : "pages and files checked; without a checksum beside it, changed texts are not noticed";

function report(file: string, content: BackupContent, json?: true): void {
  if (json) printJson({ file, bytes: statSync(file).size, ...content });
  else {
    const { requests, files } = content;
    const counts = `${counted(requests, "request")}  ${counted(files, "file")}`;
    print(`${file}  sound  ${counts}  ${comparedIn(content)}`);
  }
}
