/** Prints a line of data. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/**
 * Prints a value for programs. JSON escapes control characters below 0x20; those from 0x7f to 0x9f
 * are escaped here.
 */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  process.stdout.write(`${text}\n`);
}

/** Replaces control characters: what visitors typed must not control the terminal. */
export const printable = (line: string): string => line.replace(/\p{Cc}/gu, "�");
