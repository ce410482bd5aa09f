/** Prints a line of data. What visitors typed could else move the cursor or colour the terminal. */
export function print(line: string): void {
  process.stdout.write(`${line.replace(/\p{Cc}/gu, "�")}\n`);
}

/** Prints a value for programs, exactly as it is: JSON escapes what a terminal would obey, but for DEL and its like. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  process.stdout.write(`${text}\n`);
}
