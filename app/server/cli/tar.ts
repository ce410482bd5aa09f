import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { Store } from "#db/store.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import { safeName, unusedName } from "../requests/request-files.ts";
import { alreadyExists, CommandFailed, exitCodes } from "./exit.ts";

type TarredRequest = Pick<ListedRequest, "reference" | "receivedAt">;

/**
 * Writes a tar archive of a request's files to a new file, or to stdout if `file` is "-". In the archive, the files are
 * in a folder named by the reference.
 * @throws CommandFailed if stdout is a terminal, or the file exists
 */
export async function writeArchive(
  store: Store,
  request: TarredRequest,
  file: string,
): Promise<void> {
  const isStdout = file === "-";
  if (isStdout && process.stdout.isTTY) {
    throw new CommandFailed("Pipe the archive into a program or a file.", exitCodes.usage);
  }
  const archive = pack();
  const output = isStdout ? process.stdout : createWriteStream(file, { flags: "wx", mode: 0o600 });
  try {
    await Promise.all([
      pipeline(archive, output, { end: !isStdout }),
      addFiles(archive, store, request).catch((error) => archive.destroy(error)),
    ]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw alreadyExists(file);
  }
}

async function addFiles(
  archive: Pack,
  store: Store,
  { reference, receivedAt }: TarredRequest,
): Promise<void> {
  const used = new Set<string>();
  for (const { id, name } of await store.listFiles(reference)) {
    const bytes = await store.readFile(id);
    if (!bytes) continue;
    const unique = unusedName(safeName(name), (one) => used.has(one));
    used.add(unique);
    const header = { mtime: new Date(receivedAt), mode: 0o600, size: bytes.length };
    // Wait until the output has taken the file, so that only one file is in memory at a time.
    await new Promise<void>((resolve, reject) => {
      archive
        .entry({ ...header, name: `${reference}/${unique}` }, (error) =>
          error ? reject(error) : resolve(),
        )
        .end(bytes);
    });
  }
  archive.finalize();
}
