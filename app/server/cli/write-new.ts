import { writeFile } from "node:fs/promises";
import { alreadyExists } from "./exit.ts";

/** Writes a file that only this account may read. @throws CommandFailed if the file exists */
export async function writeNew(file: string, content: Uint8Array | string): Promise<void> {
  try {
    await writeFile(file, content, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? alreadyExists(file) : error;
  }
}
