import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { succeeded } from "./output-of.ts";
import { runCommand, type Server } from "./server.ts";
import { sha256 } from "./upload.ts";

/** The files of the only request: the name, the stored SHA-256, and that of the bytes. */
export async function storedFiles(server: Server): Promise<[string, string, string][]> {
  const rows = await server.query<{ reference: string; file_name: string; sha256: string }>(
    "SELECT reference, file_name, sha256 FROM files_received ORDER BY file_id",
  );
  const { reference } = rows[0]!;
  const args = ["requests", "files", reference, "--out", `files-${reference}`];
  await succeeded(runCommand(server.folder, args));
  const folder = path.join(server.folder, `files-${reference}`);
  return rows.map((row) => [
    row.file_name,
    row.sha256,
    sha256(readFileSync(path.join(folder, row.file_name))),
  ]);
}

/** Asserts that the only request has these files, byte for byte. */
export async function assertFilesStored(server: Server, files: { name: string; bytes: Buffer }[]) {
  assert.deepEqual(
    await storedFiles(server),
    files.map(({ name, bytes }) => [name, sha256(bytes), sha256(bytes)]),
  );
}
