/** Max files that are read: more than any form takes, and few enough that a dropped disk cannot block the page. */
const maxFiles = 500;
/** How deep folders in a dropped folder are read. */
const maxDepth = 8;

/** The files of dropped files and folders, folder by folder, without hidden ones, whose names begin with a dot. */
export async function filesOfEntries(entries: FileSystemEntry[], depth = 0): Promise<File[]> {
  const found: File[] = [];
  for (const entry of entries) {
    if (found.length >= maxFiles || depth > maxDepth) break;
    if (entry.name.startsWith(".")) continue;
    // A file or folder that cannot be read does not keep back the others.
    const files = await filesOf(entry, depth).catch(() => []);
    found.push(...files);
  }
  return found.slice(0, maxFiles);
}

async function filesOf(entry: FileSystemEntry, depth: number): Promise<File[]> {
  if (isFile(entry)) {
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  // readEntries returns at most a hundred entries each time, and none at the end.
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    inside.push(...next);
    if (next.length === 0 || inside.length >= maxFiles) break;
  }
  inside.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  return filesOfEntries(inside, depth + 1);
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
