import { createInterface } from "node:readline/promises";
import { CommandFailed, exitCodes } from "./exit.ts";

/**
 * Asks for confirmation. Without a terminal, `--yes` is required.
 * @throws CommandFailed unless confirmed
 */
export async function confirm(consequence: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw unconfirmed(consequence);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D close the terminal without a reply, which counts as no.
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const reply = await Promise.race([terminal.question(`${consequence} Continue? [y/N] `), closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(reply.trim())) throw new CommandFailed("Nothing was done.");
}

/** Returns the error of a command that needs `--yes`. */
export const unconfirmed = (consequence: string) =>
  new CommandFailed(`${consequence} To confirm without a terminal, add --yes.`, exitCodes.usage);
