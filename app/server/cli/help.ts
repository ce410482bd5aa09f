import type { Command } from "commander";
import { program } from "../../brand.ts";
import { settingsHelp } from "./settings-flags.ts";

/** Makes errors of the command line throw instead of exiting. Call this first: commands added later inherit it. */
export function reportWrongUsage(root: Command): void {
  root
    .exitOverride()
    .helpCommand(false)
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error:/, `${program.command}:`)),
    });
}

/** Adds “See … --help.” to the errors of a wrong command line. Call this after all commands are added. */
export function nameHelpAfterErrors(command: Command, path = command.name()): void {
  command.showHelpAfterError(`See ${path} --help.`);
  for (const one of command.commands) nameHelpAfterErrors(one, `${path} ${one.name()}`);
}

/** Adds the command `help`, for commands at any depth and for the settings. */
export function addHelp(root: Command): void {
  root
    .command("help [command...]")
    .description("print help of a command, or `help settings`")
    .action((words: string[]) => {
      if (words.join() === "settings") process.stdout.write(settingsHelp());
      else commandAt(root, words).outputHelp();
    });
}

/** Returns the command that words lead to, such as `requests files`. */
const commandAt = (root: Command, words: string[]): Command =>
  words.reduce(
    (command, word) =>
      command.commands.find((one) => one.name() === word) ??
      command.error(`error: unknown command '${word}'`),
    root,
  );
