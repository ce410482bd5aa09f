import { Zip, ZipPassThrough } from "fflate";
import type { Store } from "#db/store.ts";
import { safeName, unusedName } from "./request-files.ts";

/** A file of an archive, whose bytes are read when its turn comes. */
export interface ArchivedFile {
  name: string;
  read(): Promise<Uint8Array | undefined>;
}

/** The files as a ZIP, one after another, without compression: scripts hardly get smaller by it. */
export async function* zipOf(files: Iterable<ArchivedFile>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const taken = new Set<string>();
  for (const { name, read } of files) {
    const bytes = await read();
    if (!bytes) continue;
    const entry = unusedName(safeName(name), (one) => taken.has(one.toLowerCase()));
    taken.add(entry.toLowerCase());
    const file = new ZipPassThrough(entry);
    zip.add(file);
    file.push(bytes, true);
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks;
}

/** The files of a request, to be read from the store. */
export const archived = (
  store: Pick<Store, "readFile">,
  files: readonly { id: number; name: string }[],
): ArchivedFile[] => files.map(({ id, name }) => ({ name, read: () => store.readFile(id) }));
