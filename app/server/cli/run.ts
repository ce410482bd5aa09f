import { Command, CommanderError } from "commander";
import { engineOf } from "#db/engine.ts";
import {
  causeOf,
  DatabaseInUse,
  DatabaseMismatch,
  isDamaged,
  isTemporary,
  isWriteDenied,
  Unavailable,
} from "#db/store.ts";
import { program } from "../../brand.ts";
import { readSettings, SettingsError } from "../config/settings.ts";
import { ContentError } from "../content/content-error.ts";
import { addBackup } from "./backup.ts";
import { addClass } from "./class.ts";
import { addConfig } from "./config.ts";
import { addContent } from "./content.ts";
import { addDatabase } from "./database.ts";
import { addDoctor } from "./doctor.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { addHealth } from "./health.ts";
import { addHelp, nameHelpAfterErrors, reportWrongUsage } from "./help.ts";
import type { Installation } from "./installation.ts";
import { addLicenses } from "./licenses.ts";
import { addMail } from "./mail.ts";
import { addMan } from "./man.ts";
import { addMarking } from "./marking-commands.ts";
import { addMigrate } from "./migrate.ts";
import { addOutbox } from "./outbox.ts";
import { addChildCommands } from "./render-pages.ts";
import { addRequests } from "./requests.ts";
import { addRestore } from "./restore.ts";
import { addResults } from "./results.ts";
import { addServe } from "./serve.ts";
import { addSettingsFlags } from "./settings-flags.ts";
import { addSubject } from "./subject.ts";
import { addSubscriptions } from "./subscriptions.ts";
import { systemSentence } from "./system-error.ts";
import { addVersion, versionLine } from "./version.ts";
import { addWebhook } from "./webhook.ts";

/** Runs the command in `argv` and returns its exit code. Data goes to stdout, everything else to stderr. */
export async function run(argv: string[]): Promise<number> {
  // A reader such as `head` may close stdout early (EPIPE). The command goes on without its output.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`${program.command}: The output cannot be written: ${error.message}.\n`);
    process.exit(exitCodes.failed);
  });
  // A closed stderr is ignored: without a listener, its EPIPE would end the command or the server.
  process.stderr.on("error", () => {});
  try {
    const root = commands();
    await root.parseAsync(withCommand(root, argv), { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return report(error);
  }
}

/** Adds `serve` if no command is given. Commander's default command would take a misspelt command for an argument. */
function withCommand(root: Command, argv: string[]): string[] {
  const { operands, unknown } = root.parseOptions(argv);
  const isHelp = unknown.includes("-h") || unknown.includes("--help");
  return operands.length > 0 || isHelp ? argv : ["serve", ...argv];
}

function commands(): Command {
  const root = new Command(program.command)
    .description("The website, its database and its outbox in one program.")
    .version(versionLine, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help");
  reportWrongUsage(root);
  const sources = addSettingsFlags(root);
  const readConfig = async () => {
    const { loadConfig } = await import("../config/load-config.ts");
    return loadConfig(readSettings(sources()));
  };
  const installation: Installation = {
    sources,
    readSettings: () => readSettings(sources()),
    readConfig,
    onStore:
      (work) =>
      async (...args) => {
        const settings = readSettings(sources());
        const engine = await engineOf(settings);
        const store = await engine.openCommandStore();
        try {
          await work({ store, settings, readConfig }, ...args);
        } finally {
          await store.close();
        }
      },
  };
  // Add the commands in the order in which --help lists them.
  addServe(root, installation);
  addRequests(root, installation);
  addOutbox(root, installation);
  addMarking(root, installation);
  addClass(root, installation);
  addResults(root, installation);
  addSubscriptions(root, installation);
  addSubject(root, installation);
  addBackup(root, installation);
  addRestore(root, installation);
  addMigrate(root, installation);
  addDatabase(root, installation);
  addContent(root);
  addMail(root, installation);
  addWebhook(root, installation);
  addConfig(root, installation);
  addDoctor(root, installation);
  addHealth(root, installation);
  addVersion(root);
  addLicenses(root);
  addMan(root);
  addHelp(root);
  addChildCommands(root);
  nameHelpAfterErrors(root);
  return root;
}

function report(thrown: unknown): number {
  // Report the cause of a database error, because the error itself would quote a visitor's data.
  const error = causeOf(thrown);
  // Commander has printed its own errors, so print nothing more.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const isInvalid = error instanceof SettingsError || error instanceof ContentError;
  const faults = isInvalid ? error.messages : [messageOf(error as Error)];
  for (const fault of faults) process.stderr.write(`${program.command}: ${fault}\n`);
  if (isInvalid || error instanceof DatabaseMismatch || isDamaged(error)) {
    return exitCodes.configuration;
  }
  if (error instanceof DatabaseInUse || error instanceof Unavailable || isTemporary(error)) {
    return exitCodes.temporary;
  }
  return error instanceof CommandFailed ? error.exitCode : exitCodes.failed;
}

function messageOf(error: Error): string {
  const { message } = error;
  if (isDamaged(error)) return `The database is damaged: ${message}.`;
  return isWriteDenied(error)
    ? `The database cannot be written: ${message}. Run the command under the account of the server; see also ${program.command} doctor.`
    : (systemSentence(error) ?? message);
}
