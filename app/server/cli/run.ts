import { Command, CommanderError } from "commander";
import { causeOf, DatabaseInUse, DatabaseMismatch, passes, Unavailable } from "#db/errors.ts";
import { closeDatabase, openExistingDatabase } from "#db/sqlite/open.ts";
import { program } from "../../brand.ts";
import { configFrom, readSettings } from "../config/config.ts";
import { SettingsError } from "../config/settings-error.ts";
import { ContentError } from "../content/content-error.ts";
import { addBackup } from "./backup.ts";
import { addCompletion } from "./completion.ts";
import { addConfig } from "./config.ts";
import { addContent } from "./content.ts";
import { addDoctor } from "./doctor.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { addHealth } from "./health.ts";
import type { Installation } from "./installation.ts";
import { addMail } from "./mail.ts";
import { addMigrate } from "./migrate.ts";
import { addOutbox } from "./outbox.ts";
import { addRequests } from "./requests.ts";
import { addRestore } from "./restore.ts";
import { addResults } from "./results.ts";
import { addServe } from "./serve.ts";
import { addSettingsFlags } from "./settings-flags.ts";
import { addSubject } from "./subject.ts";
import { addSubscriptions } from "./subscriptions.ts";
import { rejectWrongUsage, UsageError } from "./usage.ts";
import { addVersion, versionLine } from "./version.ts";

/** Runs the command in `argv` to its end. Data goes to stdout, everything else to stderr. Returns the exit code. */
export async function run(argv: string[]): Promise<number> {
  // A reader such as `head` that has seen enough is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? exitCodes.done : exitCodes.failed);
  });
  try {
    await commands().parseAsync(argv, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return report(error);
  }
}

function commands(): Command {
  const root = new Command(program.command)
    .description("The website, its store and its mail, in one program.")
    .version(versionLine, "--version", "print the version")
    .helpOption("--help", "print this help");
  const flags = addSettingsFlags(root);
  const installation: Installation = {
    flags,
    readSettings: () => readSettings(flags()),
    readConfig: () => configFrom(readSettings(flags())),
    async withDatabase(work) {
      const db = await openExistingDatabase(readSettings(flags()).databaseFile);
      try {
        await work(db);
      } finally {
        await closeDatabase(db);
      }
    },
  };
  // In this order --help lists them.
  addServe(root, installation);
  addRequests(root, installation);
  addOutbox(root, installation);
  addResults(root, installation);
  addSubscriptions(root, installation);
  addSubject(root, installation);
  addBackup(root, installation);
  addRestore(root, installation);
  addMigrate(root, installation);
  addContent(root);
  addMail(root, installation);
  addConfig(root, installation);
  addDoctor(root, installation);
  addHealth(root, installation);
  addVersion(root);
  addCompletion(root);
  rejectWrongUsage(root);
  return root;
}

function report(thrown: unknown): number {
  // What wraps an error of the database would quote visitors.
  const error = causeOf(thrown);
  if (error instanceof CommanderError) return exitCodes.done;
  const message = inFull(error as Error);
  const faults =
    error instanceof SettingsError || error instanceof ContentError ? error.faults : [message];
  for (const fault of faults) process.stderr.write(`${program.command}: ${fault}\n`);
  if (error instanceof UsageError) return exitCodes.usage;
  if (
    error instanceof SettingsError ||
    error instanceof ContentError ||
    error instanceof DatabaseMismatch
  ) {
    return exitCodes.configuration;
  }
  if (error instanceof DatabaseInUse || error instanceof Unavailable || passes(error)) {
    return exitCodes.temporary;
  }
  return error instanceof CommandFailed ? error.exitCode : exitCodes.failed;
}

/** SQLite does not say what to do where it is run under another account, or on a disk that takes no writes. */
function inFull({ message }: Error): string {
  return /readonly database|unable to open database file/.test(message)
    ? `The database cannot be written: ${message}. Run this under the account that the program runs under; ${program.command} doctor tells more.`
    : message;
}
