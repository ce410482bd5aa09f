import type { WorkError } from "../class-work/class-work.ts";
import { printable } from "./print.ts";

/** Exit codes; 75 and 78 are those of sysexits.h. */
export const exitCodes = { done: 0, failed: 1, usage: 2, temporary: 75, configuration: 78 };

/** Thrown if a command fails. The message is shown to the operator as it is. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const alreadyExists = (file: string) =>
  new CommandFailed(`${file} already exists; nothing was overwritten.`);

/** Returns the error of a command whose work failed. @param whatToDo a sentence on what to do, by the error's code */
export function failed(
  { code, error }: WorkError,
  whatToDo: Partial<Record<WorkError["code"], string>> = {},
): CommandFailed {
  const text = [error, whatToDo[code]].filter(Boolean).join(" ");
  return new CommandFailed(printable(text), exitCodeOf[code]);
}

/** The exit codes by the error's code; other errors exit with `exitCodes.failed`. */
const exitCodeOf: Partial<Record<WorkError["code"], number>> = {
  setting: exitCodes.configuration,
  invalid: exitCodes.usage,
};
