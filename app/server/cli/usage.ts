import type { Command, CommanderError } from "commander";
import { closest } from "fastest-levenshtein";

/** The command line itself is wrong. */
export class UsageError extends Error {}

/** Lets every command throw WrongUsage where commander would print and exit; help is a flag and no command. */
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
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** What is wrong, and the nearest word that would have been right in its place. */
function usageMessage({ code, message }: CommanderError, command: Command, root: Command): string {
  if (code === "commander.help") return "Which command? See --help.";
  // Serving is what happens without a command, so a word misspelt at the top reaches it.
  const place = command.name() === "serve" ? command.parent! : command;
  if (code === "commander.unknownOption") {
    const typed = /'([^']*)'/.exec(message)![1]!;
    const flags = [place, root].flatMap(({ options }) => options.map(({ long }) => long!));
    return `Unknown option ${typed}. Did you mean ${closest(typed, ["--help", ...flags])}? See --help.`;
  }
  const [typed] = command.args;
  if (typed && place.commands.length > 0) {
    const known = place.commands.map((one) => one.name());
    return `Unknown command ${typed}. Did you mean ${closest(typed, ["--help", ...known])}? See --help.`;
  }
  const sentence = message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase());
  return `${sentence.replace(/\.$/, "")}. See --help.`;
}
