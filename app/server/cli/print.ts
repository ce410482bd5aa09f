/** Prints a line of data. What visitors typed could else move the cursor or colour the terminal. */
export function print(line: string): void {
  process.stdout.write(`${line.replace(/\p{Cc}/gu, "�")}\n`);
}
