import type { Command, CommanderError } from "commander";
import { closest } from "fastest-levenshtein";

/** The command line is wrong. */
export class UsageError extends Error {}

/**
 * Makes every command throw UsageError instead of printing and exiting. Only the program itself has a
 * command `help`.
 */
export function rejectWrongUsage(root: Command): void {
  for (const command of allOf(root)) {
    command
      .helpCommand(false)
      .configureOutput({ writeErr: () => {} })
      .showSuggestionAfterError(false)
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : new UsageError(usageMessage(error, command, root));
      });
  }
  root.helpCommand("help [command]", "print the help of a command");
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** Describes the error, and suggests the most similar command or flag. */
function usageMessage({ code, message }: CommanderError, command: Command, root: Command): string {
  if (code === "commander.help") return "Which command? See --help.";
  // `serve` is the default command, so a misspelt command reaches it as an argument.
  const isDefault = command.name() === "serve" && root.args[0] !== "serve";
  const parent = isDefault ? root : command;
  if (code === "commander.unknownOption") {
    const typed = /'([^']*)'/.exec(message)![1]!;
    const flags = [parent, root].flatMap(({ options }) => options.map(({ long }) => long!));
    return `Unknown option ${typed}. Did you mean ${closest(typed, ["--help", ...flags])}? See --help.`;
  }
  const [typed] = command.args;
  if (typed && parent.commands.length > 0) {
    const known = parent.commands.map((one) => one.name());
    if (parent === root) known.push("help");
    return `Unknown command ${typed}. Did you mean ${closest(typed, ["--help", ...known])}? See --help.`;
  }
  const sentence = message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase());
  return `${sentence.replace(/\.$/, "")}. See --help.`;
}
