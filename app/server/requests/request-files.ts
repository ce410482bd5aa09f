import { open, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "#db/engine.ts";
import type { Store } from "#db/store.ts";

/**
 * Writes files into a folder, byte for byte as they were sent, and yields the path of each. Files that an earlier run
 * has written stay as they are.
 */
export async function* writeFiles(
  store: Pick<Store, "readFile">,
  files: readonly { id: number; name: string }[],
  folder: string,
): AsyncGenerator<{ id: number; path: string }> {
  if (files.length > 0) makeFolder(folder, 0o700);
  const written = new Set<string>();
  for (const { id, name } of files) {
    const bytes = await store.readFile(id);
    if (!bytes) continue;
    const file = await writeOrReuse(folder, safeName(name), bytes, written);
    written.add(file);
    yield { id, path: file };
  }
}

/**
 * Returns the path of a file with these bytes. Never overwrites: a second essay.pdf becomes "essay (2).pdf", unless an
 * earlier run wrote the same bytes as essay.pdf.
 * @param written the files of this run
 */
async function writeOrReuse(
  folder: string,
  name: string,
  bytes: Buffer,
  written: ReadonlySet<string>,
): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const file = path.join(folder, copyName(name, copy));
    try {
      await using handle = await open(file, "wx", 0o600);
      await handle.writeFile(bytes).catch(async (error: unknown) => {
        await rm(file, { force: true });
        throw error;
      });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (!written.has(file) && (await hasContent(file, bytes))) return file;
    }
  }
}

/** Whether a file has exactly these bytes; false if it cannot be read. */
async function hasContent(file: string, bytes: Buffer): Promise<boolean> {
  try {
    const { size } = await stat(file);
    return size === bytes.length && (await readFile(file)).equals(bytes);
  } catch {
    return false;
  }
}

/** The first of `name`, "name (2)" and so on that is not taken. */
export function unusedName(name: string, isTaken: (name: string) => boolean): string {
  let copy = 1;
  while (isTaken(copyName(name, copy))) copy += 1;
  return copyName(name, copy);
}

/** The second essay.pdf is "essay (2).pdf". */
function copyName(name: string, copy: number): string {
  const { name: stem, ext } = path.parse(name);
  return copy === 1 ? name : `${stem} (${copy})${ext}`;
}

/**
 * Returns a name that every file system accepts: at most 200 bytes, no reserved name, not hidden, no leading hyphen,
 * and without characters that are reserved or change how the name reads.
 */
export function safeName(name: string): string {
  const plain = name
    .replace(/[/\\:*?"<>|\p{Cc}\p{Bidi_Control}]/gu, "_")
    // A name that is only an ending keeps it: ".pdf" becomes "_.pdf".
    .replace(/^\.+(?=[^.]+$)/, "_.")
    .replace(/^\.+/, "_")
    .replace(/^-/, "_-");
  // Windows reserves such a name with any endings.
  const free = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `_${plain}` : plain;
  const { ext } = path.parse(free);
  // An ending that is longer counts as part of the name, and may be cut.
  const ending = ext.length <= 20 ? ext : "";
  const characters = [...free.slice(0, free.length - ending.length)];
  while (Buffer.byteLength(characters.join("") + ending) > 200) characters.pop();
  return characters.join("") + ending;
}
