import { writeFile } from "node:fs/promises";
import { alreadyExists } from "./exit.ts";

/** Writes a file that by default only this account may read. @throws CommandFailed if the file exists */
export async function writeNew(
  file: string,
  content: Uint8Array | string,
  mode = 0o600,
): Promise<void> {
  try {
    await writeFile(file, content, { flag: "wx", mode });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? alreadyExists(file) : error;
  }
}
