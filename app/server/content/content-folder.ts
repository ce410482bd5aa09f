import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { closest } from "fastest-levenshtein";
import { ContentError, type ContentFault } from "./content-error.ts";

/** No page is near it; a larger file was put there by mistake. */
const maxBytes = 1_048_576;

/**
 * Reads an institution's folder. Hidden files and a README in it are its own affair; any other file that
 * the program would not read is refused, since somebody expects to see it.
 * @param known the paths of all files that may be there, but those of articles
 * @throws WrongContent with every fault in the folder
 */
export function readOwnFiles(folder: string, known: string[]): [file: string, text: string][] {
  const faults: ContentFault[] = [];
  const files: [string, string][] = [];
  const folders = new Set(["articles", ...known.map((file) => path.posix.dirname(file))]);
  folders.delete(".");
  const place = (file: string) => path.join(folder, ...file.split("/"));

  const look = (parent: string) => {
    for (const name of namesIn(place(parent), parent || folder, faults)) {
      const file = path.posix.join(parent, name);
      if (name.startsWith(".") || /^README(\.\w+)?$/i.test(file)) continue;
      const isKnown = known.includes(file) || /^articles\/[^/]+\.md$/.test(file);
      const found = statSync(place(file), { throwIfNoEntry: false });
      if (found?.isDirectory() && folders.has(file)) look(file);
      else if (!isKnown) faults.push({ file, message: unknownMessage(file, known) });
      else if (!found?.isFile()) faults.push({ file, message: "is not a file" });
      else if (found.size > maxBytes) faults.push({ file, message: "is larger than 1 MB" });
      else {
        const text = readText(place(file), file, faults);
        if (text !== undefined) files.push([file, text]);
      }
    }
  };
  look("");
  if (faults.length > 0) throw new ContentError(faults);
  return files;
}

function namesIn(folder: string, file: string, faults: ContentFault[]): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    faults.push({ file, message: `cannot be read: ${(error as NodeJS.ErrnoException).code}` });
    return [];
  }
}

function readText(place: string, file: string, faults: ContentFault[]): string | undefined {
  try {
    const bytes = readFileSync(place);
    const line = firstBrokenLine(bytes);
    if (line === undefined) return new TextDecoder().decode(bytes);
    faults.push({ file, line, message: "is not UTF-8; save the file in that encoding" });
  } catch (error) {
    faults.push({ file, message: `cannot be read: ${(error as NodeJS.ErrnoException).code}` });
  }
  return undefined;
}

/** Counted from 1; undefined where all of it is UTF-8. No character of several bytes holds a line break. */
function firstBrokenLine(bytes: Buffer): number | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines = bytes.toString("latin1").split("\n");
  const index = lines.findIndex((line) => {
    try {
      decoder.decode(Buffer.from(line, "latin1"));
      return false;
    } catch {
      return true;
    }
  });
  return index === -1 ? undefined : index + 1;
}

function unknownMessage(file: string, known: string[]): string {
  if (/^articles\/[^/]+\//.test(`${file}/`) && !/\.\w+$/.test(file)) {
    return "is a folder: articles stand in articles/ itself";
  }
  const { dir, name, ext } = path.posix.parse(file);
  if (dir === "" && ext === "") {
    return `is no file that the site has. Did you mean ${closest(file, ["articles", "pages"])}?`;
  }
  const near = known.filter((one) => dir !== "" && path.posix.dirname(one) === dir);
  const candidates = near.length > 0 ? near : [...known, `articles/${name}.md`];
  return `is no file that the site has. Did you mean ${closest(file, candidates)}?`;
}
