import { Command, CommanderError } from "commander";
import { closest } from "fastest-levenshtein";
import { DatabaseInUse, WrongDatabase } from "#db/errors.ts";
import { closeDatabase, type Db, openExistingDatabase } from "#db/open.ts";
import packageJson from "../../package.json";
import { program } from "../brand.ts";
import { requestsFiles } from "./cli/requests-files.ts";
import { requestsList } from "./cli/requests-list.ts";
import { requestsShow } from "./cli/requests-show.ts";
import { serve } from "./cli/serve.ts";
import { readConfig, settings, variableOf, WrongSettings } from "./config.ts";

export const exitCodes = { done: 0, failed: 1, usage: 2, temporary: 75, configuration: 78 };

/** A command could not do what was asked; the sentence is for whoever typed it. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs the command in `argv` to its end. Data goes to stdout, everything else to stderr. Returns the exit code. */
export async function run(argv: string[]): Promise<number> {
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
  root
    .command("serve", { isDefault: true })
    .description("serve the website (what happens without a command)")
    .action(() => serve(readConfig(process.env)));

  const requests = root.command("requests").description("look into what visitors have sent");
  requests
    .command("list")
    .description("list all requests, newest first")
    .action(() => withDatabase(requestsList));
  requests
    .command("show <reference>")
    .description("print one request")
    .action((reference: string) => withDatabase((db) => requestsShow(db, reference)));
  requests
    .command("files <reference>")
    .description("write a request’s files into a folder; never overwrites")
    .requiredOption("--out <folder>", "the folder, made where it is missing")
    .action((reference: string, options: { out: string }) =>
      withDatabase((db) => requestsFiles(db, reference, options.out)),
    );

  for (const command of allOf(root)) {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .showSuggestionAfterError(false);
  }
  return root;
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const db = await openExistingDatabase(readConfig(process.env).databaseFile);
  try {
    await work(db);
  } finally {
    await closeDatabase(db);
  }
}

function settingsHelp(): string {
  const lines = Object.entries(settings).map(([name, { meaning, default: value }]) =>
    [`  ${variableOf(name as keyof typeof settings).padEnd(25)}${meaning}`, `(${value})`].join(" "),
  );
  return `Settings are environment variables; HOST and PORT also count without the prefix:\n${lines.join("\n")}`;
}

function report(error: unknown): number {
  const say = (message: string) => process.stderr.write(`${program.command}: ${message}\n`);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    say(usageMessage(error));
    return exitCodes.usage;
  }
  if (error instanceof WrongSettings) {
    for (const fault of error.faults) say(fault);
    return exitCodes.configuration;
  }
  if (error instanceof WrongDatabase) {
    say(error.message);
    return exitCodes.configuration;
  }
  if (error instanceof DatabaseInUse) {
    say(error.message);
    return exitCodes.temporary;
  }
  if (error instanceof CommandFailed) {
    say(error.message);
    return error.exitCode;
  }
  say((error as Error).message);
  return exitCodes.failed;
}

/** What commander says, and the nearest word that would have been right. */
function usageMessage(error: CommanderError): string {
  const message = error.message
    .replace(/^error: /, "")
    .replace(/^./, (letter) => letter.toUpperCase());
  const unknown = /unknown (?:command|option) '([^']*)'|too many arguments/.exec(error.message);
  if (error.code === "commander.help" || !unknown) {
    return error.code === "commander.help"
      ? "Which command? See --help."
      : `${message}. See --help.`;
  }
  const typed = unknown[1] ?? process.argv.slice(2).find((word) => !word.startsWith("-")) ?? "";
  const all = allOf(commands());
  const known = typed.startsWith("-")
    ? ["--help", "--version", ...all.flatMap((command) => command.options.map((o) => o.long ?? ""))]
    : all.map((command) => command.name());
  const nearest = closest(typed, known);
  return `${typed.startsWith("-") ? "unknown option" : "unknown command"} ${typed}. Did you mean ${nearest}? See --help.`;
}
