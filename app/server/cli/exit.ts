/** Exit codes, as in sysexits.h where it has one. */
export const exitCodes = { done: 0, failed: 1, usage: 2, temporary: 75, configuration: 78 };

/** A command could not do what was asked. The message is for the person who typed it. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
