import type { Command, CommanderError } from "commander";
import { closest, distance } from "fastest-levenshtein";

/** The command line is wrong. */
export class UsageError extends Error {}

/**
 * Makes every command throw UsageError instead of printing and exiting, and adds the command `help`.
 */
export function rejectWrongUsage(root: Command): void {
  root
    .command("help [command...]")
    .description("print the help of a command")
    .action((words: string[]) => commandAt(root, words).outputHelp());
  for (const command of allOf(root)) {
    command
      .helpCommand(false)
      .configureOutput({ writeErr: () => {} })
      .showSuggestionAfterError(false)
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : new UsageError(usageMessage(error, command, root));
      });
  }
}

/** Returns the command that words lead to, such as `requests files`. */
const commandAt = (root: Command, words: string[]): Command =>
  words.reduce((command, word) => {
    const found = command.commands.find((one) => one.name() === word);
    if (!found) throw new UsageError(unknownCommand(word, namesOf(command)));
    return found;
  }, root);

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** Describes the error, and suggests the most similar command or flag. */
function usageMessage({ code, message }: CommanderError, command: Command, root: Command): string {
  if (code === "commander.help") {
    return `${command.name()} needs a command: ${namesOf(command).join(", ")}. See --help.`;
  }
  // `serve` is the default command, so a misspelt command reaches it as an argument.
  const isDefault = command.name() === "serve" && root.args[0] !== "serve";
  const parent = isDefault ? root : command;
  if (code === "commander.unknownOption") {
    const typed = /'([^']*)'/.exec(message)![1]!;
    const flags = [parent, root].flatMap(({ options }) => options.map(({ long }) => long!));
    return `Unknown option ${typed}.${suggestion(typed, ["--help", ...flags])} See --help.`;
  }
  const [typed] = command.args;
  if (typed && parent.commands.length > 0) {
    return unknownCommand(typed, namesOf(parent));
  }
  const sentence = message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase());
  return `${sentence.replace(/\.$/, "")}. See --help.`;
}

const namesOf = ({ commands }: Command): string[] => commands.map((one) => one.name());

const unknownCommand = (typed: string, known: string[]): string =>
  `Unknown command ${typed}.${suggestion(typed, ["--help", ...known])} See --help.`;

/** Suggests the most similar name, unless more than half of what was typed differs. */
function suggestion(typed: string, names: string[]): string {
  const nearest = closest(typed, names);
  return distance(typed, nearest) > typed.length / 2 ? "" : ` Did you mean ${nearest}?`;
}
