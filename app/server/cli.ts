import { Command, CommanderError } from "commander";
import { DatabaseInUse, WrongDatabase } from "#db/errors.ts";
import { closeDatabase, openExistingDatabase } from "#db/open.ts";
import packageJson from "../../package.json";
import { program } from "../brand.ts";
import { addContent } from "./cli/content.ts";
import { CommandFailed, exitCodes } from "./cli/exit.ts";
import type { Installation } from "./cli/installation.ts";
import { addRequests } from "./cli/requests.ts";
import { addResults } from "./cli/results.ts";
import { addServe } from "./cli/serve.ts";
import { addSubscriptions } from "./cli/subscriptions.ts";
import { refuseWrongUsage, WrongUsage } from "./cli/usage.ts";
import { readConfig, settings, variableOf, WrongSettings } from "./config.ts";
import { WrongContent } from "./content/fault.ts";

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
    .version(`${program.command} ${packageJson.version}`, "--version", "print the version")
    .helpOption("--help", "print this help")
    .helpCommand(false)
    .addHelpText("after", () => `\n${settingsHelp()}`);
  const installation: Installation = {
    readConfig: () => readConfig(process.env),
    async withDatabase(work) {
      const db = await openExistingDatabase(readConfig(process.env).databaseFile);
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
  addResults(root, installation);
  addSubscriptions(root, installation);
  addContent(root);
  refuseWrongUsage(root);
  return root;
}

function settingsHelp(): string {
  const lines = Object.entries(settings).map(([name, { meaning, default: value }]) =>
    [`  ${variableOf(name as keyof typeof settings).padEnd(25)}${meaning}`, `(${value})`].join(" "),
  );
  return `Settings are environment variables; HOST and PORT also count without the prefix:\n${lines.join("\n")}`;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return exitCodes.done;
  const { message } = error as Error;
  const faults =
    error instanceof WrongSettings || error instanceof WrongContent ? error.faults : [message];
  for (const fault of faults) process.stderr.write(`${program.command}: ${fault}\n`);
  if (error instanceof WrongUsage) return exitCodes.usage;
  if (
    error instanceof WrongSettings ||
    error instanceof WrongContent ||
    error instanceof WrongDatabase
  ) {
    return exitCodes.configuration;
  }
  if (error instanceof DatabaseInUse) return exitCodes.temporary;
  return error instanceof CommandFailed ? error.exitCode : exitCodes.failed;
}
