/** Prints a line of data. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** What visitors typed could else move the cursor or colour the terminal. */
export const printable = (line: string): string => line.replace(/\p{Cc}/gu, "�");
