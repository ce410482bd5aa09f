import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

export interface Output {
  code: number | null;
  out: string;
  err: string;
}

/** Waits for the end of a process; returns what it has written, and its exit code, null after a signal. */
export async function outputOf(child: ChildProcess): Promise<Output> {
  const [out, err, [code]] = await Promise.all([
    buffer(child.stdout!),
    buffer(child.stderr!),
    once(child, "close"),
  ]);
  // The consumer `text` would remove a byte order mark.
  return { code, out: out.toString(), err: err.toString() };
}

/** Waits for a command that must exit with 0. Returns what it has written. */
export async function succeeded<Ended extends Pick<Output, "code"> & Partial<Output>>(
  command: Promise<Ended>,
): Promise<Ended> {
  const ended = await command;
  assert.equal(ended.code, 0, `${ended.err || ended.out}`);
  return ended;
}
