import { setImmediate } from "node:timers/promises";

/** The parsed options of a command with the flag --json, which prints for programs. */
export interface Json {
  json?: true;
}

export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Prints sentences for the operator, on stderr. */
export function printNotes(lines: Iterable<string>): void {
  for (const line of lines) process.stderr.write(`${printable(line)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

/**
 * Prints a long text in parts. Waits for the reader of stdout, and stops if the reader has left. On a terminal, control
 * characters are replaced; a file or a program gets the exact text.
 */
export async function printParts(parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const { stdout } = process;
  for await (const part of parts) {
    const text = stdout.isTTY ? part.split(/\r?\n/).map(printable).join("\n") : part;
    const error = await new Promise((resolve) => stdout.write(text, resolve));
    if (error) return;
    // Give the event loop a turn: only then is the memory of synchronous database statements freed.
    await setImmediate();
  }
}

/** Yields the text of a JSON array in parts, from values that come in chunks. */
export async function* jsonArray(chunks: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const values of chunks) {
    if (values.length === 0) continue;
    const items = values.map((value) => `  ${jsonText(value).replaceAll("\n", "\n  ")}`);
    yield `${separator}${items.join(",\n")}`;
    separator = ",\n";
  }
  yield separator === ",\n" ? "\n]\n" : "[]\n";
}

/**
 * Returns a value as JSON. JSON.stringify leaves control characters from 0x7f on as they are, so this escapes them, and
 * characters that change the direction of text.
 */
const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * Replaces control characters and those that change the direction of text: what visitors typed must
 * not control the terminal.
 */
export const printable = (line: string): string =>
  line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\uFFFD");
