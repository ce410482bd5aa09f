/**
 * The files of a drop, with those of dropped folders. Call it while the event is dispatched: afterwards the browser
 * forgets what was dropped.
 */
export async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const plain = [...files];
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return plain;
  // Without a connection, the folder itself is returned, which the form rejects with a sentence.
  const folder = await import("./extras/folder.ts").catch(() => undefined);
  return folder ? folder.filesOfEntries(entries) : plain;
}
