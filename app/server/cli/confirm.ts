import { createInterface } from "node:readline/promises";
import { CommandFailed, exitCodes } from "./exit.ts";

/**
 * Asks on a terminal whether to go on with what cannot be undone; elsewhere `--yes` has to say so.
 * @throws CommandFailed where nobody said yes
 */
export async function confirm(what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CommandFailed(`${what} Without a terminal to ask on, add --yes.`, exitCodes.usage);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D close it without an answer.
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const answer = await Promise.race([terminal.question(`${what} Go on? [y/N] `), closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed("Nothing was done.");
}

/** "1 request", "2 requests" */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
