import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { ContentError, type FileError } from "./content-error.ts";
import { forbiddenCharacterIn } from "./forbidden-character.ts";

/** Max size of a content file: far above the size of any page, so a larger file must be a mistake. */
const maxBytes = 1_048_576;

/** The paths that articles and downloads may have; there may be any number of them. */
const freelyNamed = /^articles\/[^/]+\.md$|^downloads\/[a-z0-9-]+\.(docx|xlsx|pdf)$/;

/**
 * Reads an institution's content folder. Hidden files and a README are ignored. Any other file that the site does not
 * use gives a warning, not an error: an earlier release may have used the file.
 * @param known paths of all files that may be there, except articles and downloads
 * @throws ContentError with every error in the folder
 */
export function readContentFolder(
  folder: string,
  known: string[],
): { files: [file: string, text: string][]; warnings: FileError[] } {
  const errors: FileError[] = [];
  const warnings: FileError[] = [];
  const files: [string, string][] = [];
  const folders = new Set([
    "articles",
    "downloads",
    ...known.map((file) => path.posix.dirname(file)),
  ]);
  folders.delete(".");
  const pathOf = (file: string) => path.join(folder, ...file.split("/"));

  const readFolder = (parent: string) => {
    const names = tryReading(parent || folder, errors, () => readdirSync(pathOf(parent)).sort());
    for (const name of names ?? []) {
      const file = path.posix.join(parent, name);
      if (name.startsWith(".") || /^README(\.\w+)?$/i.test(file)) continue;
      // statSync throws for a symbolic link that leads to itself; for a link that leads nowhere, `stats` is undefined.
      const found = tryReading(file, errors, () => ({
        stats: statSync(pathOf(file), { throwIfNoEntry: false }),
      }));
      if (!found) continue;
      const { stats } = found;
      const isFolder = stats?.isDirectory() ?? false;
      if (isFolder && folders.has(file)) readFolder(file);
      else if (!known.includes(file) && !freelyNamed.test(file)) {
        warnings.push({ file, message: unknownMessage(file, isFolder, known) });
      } else if (!stats?.isFile()) errors.push({ file, message: "is not a file" });
      else if (stats.size > maxBytes) errors.push({ file, message: "is larger than 1 MB" });
      else {
        const text = readText(pathOf(file), file, errors);
        if (text !== undefined) files.push([file, text]);
      }
    }
  };
  readFolder("");
  if (errors.length > 0) throw new ContentError(errors);
  return { files, warnings };
}

/** Returns what `read` returns; if it fails, adds an error about the file. */
function tryReading<Result>(
  file: string,
  errors: FileError[],
  read: () => Result,
): Result | undefined {
  try {
    return read();
  } catch (error) {
    errors.push({ file, message: `cannot be read: ${(error as NodeJS.ErrnoException).code}` });
    return undefined;
  }
}

/** Returns the text, or a download's bytes in base64; undefined, with an error, if it is unreadable or not UTF-8. */
function readText(fullPath: string, file: string, errors: FileError[]): string | undefined {
  const bytes = tryReading(file, errors, () => readFileSync(fullPath));
  if (!bytes) return undefined;
  if (file.startsWith("downloads/")) return bytes.toString("base64");
  const line = firstInvalidLine(bytes);
  if (line !== undefined) {
    errors.push({ file, line, message: "is not UTF-8; save the file in that encoding" });
    return undefined;
  }
  const text = new TextDecoder().decode(bytes);
  text.split("\n").forEach((content, index) => {
    const message = forbiddenCharacterIn(content);
    if (message) errors.push({ file, line: index + 1, message });
  });
  return text;
}

/**
 * Returns the number of the first line that is not valid UTF-8, counted from 1, or undefined.
 * Lines can be checked one by one because no byte of a multi-byte character equals a line break.
 */
function firstInvalidLine(bytes: Buffer): number | undefined {
  const lines = bytes.toString("latin1").split("\n");
  const index = lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
  return index === -1 ? undefined : index + 1;
}

function unknownMessage(file: string, isFolder: boolean, known: string[]): string {
  if (isFolder && file.startsWith("articles/")) {
    return "is a folder; put articles directly in articles/";
  }
  const { dir, ext } = path.posix.parse(file);
  if (dir === "" && ext === "") {
    return "is not used by the site; its folders are articles, downloads and pages";
  }
  const inFolder = [...known, "articles/….md", "downloads/…"].filter(
    (one) => path.posix.dirname(one) === (dir || "."),
  );
  return `is not used by the site, which reads ${inFolder.join(", ")}`;
}
