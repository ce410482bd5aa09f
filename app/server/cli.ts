import { Command, CommanderError } from "commander";
import { closest } from "fastest-levenshtein";
import { DatabaseInUse, WrongDatabase } from "#db/errors.ts";
import { closeDatabase, type Db, openExistingDatabase } from "#db/open.ts";
import packageJson from "../../package.json";
import { program } from "../brand.ts";
import { contentExport } from "./cli/content-export.ts";
import { CommandFailed, exitCodes } from "./cli/exit.ts";
import { requestsFiles } from "./cli/requests-files.ts";
import { requestsList } from "./cli/requests-list.ts";
import { requestsNotSpam } from "./cli/requests-not-spam.ts";
import { requestsShow } from "./cli/requests-show.ts";
import { serve } from "./cli/serve.ts";
import { subscriptionsList, subscriptionsRemove } from "./cli/subscriptions.ts";
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
  root
    .command("serve", { isDefault: true })
    .description("serve the website (what happens without a command)")
    .action(() => serve(readConfig(process.env)));

  const requests = root.command("requests").description("look into what visitors have sent");
  requests
    .command("list")
    .description("list all requests, newest first")
    .option("--spam", "list those in quarantine instead")
    .action((options: { spam?: true }) =>
      withDatabase((db) => requestsList(db, options.spam ?? false)),
    );
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
  requests
    .command("not-spam <reference>")
    .description("take a request out of quarantine, so that its letter is sent")
    .action((reference: string) => withDatabase((db) => requestsNotSpam(db, reference)));

  const subscriptions = root.command("subscriptions").description("who asked for news of the blog");
  subscriptions
    .command("list")
    .description("list all addresses with the time of their consent")
    .action(() => withDatabase(subscriptionsList));
  subscriptions
    .command("remove <email>")
    .description("forget an address")
    .action((email: string) => withDatabase((db) => subscriptionsRemove(db, email)));

  root
    .command("content")
    .description("the words of the site")
    .command("export <folder>")
    .description("write the built-in words into a folder, for editing; never overwrites")
    .action(contentExport);

  for (const command of allOf(root)) {
    command
      .configureOutput({ writeErr: () => {} })
      .showSuggestionAfterError(false)
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : new WrongUsage(usageMessage(error, command));
      });
  }
  return root;
}

class WrongUsage extends Error {}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** What is wrong, and the nearest word that would have been right in its place. */
function usageMessage({ code, message }: CommanderError, command: Command): string {
  if (code === "commander.help") return "Which command? See --help.";
  // Serving is what happens without a command, so a word misspelt at the top reaches it.
  const place = command.name() === "serve" ? command.parent! : command;
  if (code === "commander.unknownOption") {
    const typed = /'([^']*)'/.exec(message)![1]!;
    const flags = place.options.map(({ long }) => long ?? "");
    return `Unknown option ${typed}. Did you mean ${closest(typed, ["--help", ...flags])}? See --help.`;
  }
  const [typed] = command.args;
  if (typed && place.commands.length > 0) {
    const known = place.commands.map((one) => one.name());
    return `Unknown command ${typed}. Did you mean ${closest(typed, known)}? See --help.`;
  }
  const sentence = message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase());
  return `${sentence.replace(/\.$/, "")}. See --help.`;
}

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
