import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { DatabaseMismatch } from "../errors.ts";
import { currentSchemaVersion } from "./schema-version.ts";

/** Written into every file's header; "Rubr" in ASCII. */
export const applicationId = 0x52756272;

/**
 * Judges a file by its header alone, without SQLite, because opening a file may already change it.
 * Migrations end with a checkpoint, so the header's version is the true one. One that is not there passes.
 * @throws WrongDatabase where it is not ours, or a newer program's
 */
export function checkFileHeader(file: string): void {
  if (!existsSync(file)) return;
  const header = readHeader(file);
  if (
    header.length < 100 ||
    header.toString("latin1", 0, 16) !== "SQLite format 3\0" ||
    header.readUInt32BE(68) !== applicationId
  ) {
    throw new DatabaseMismatch(`${file} is not a database of this program. It was left as it is.`);
  }
  const version = header.readUInt32BE(60);
  if (version > currentSchemaVersion) {
    throw new DatabaseMismatch(
      `${file} was written by a newer version of this program (layout ${version}, this one knows ${currentSchemaVersion}). It was left as it is.`,
    );
  }
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } finally {
    closeSync(descriptor);
  }
}
