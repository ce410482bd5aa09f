import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { makeFolder } from "#db/sqlite/make-folder.ts";
import { variableOf } from "../config/settings-table.ts";
import { builtInFiles } from "../content/built-in-files.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { print, printJson } from "./print.ts";

export function addContent(root: Command): void {
  root
    .command("content")
    .description("the words of the site")
    .command("export <folder>")
    .description("write the built-in words into a folder, for editing; never overwrites")
    .option("--json", "print the paths as JSON")
    .action(exportContent);
}

/** Prints the path of each file. */
async function exportContent(folder: string, { json }: { json?: true }): Promise<void> {
  // An empty variable in somebody's script would otherwise mean the folder they stand in.
  if (folder === "") throw new CommandFailed("Give a folder.", exitCodes.usage);
  const written: string[] = [];
  for (const [file, text] of builtInFiles()) {
    const target = path.join(folder, file);
    await writeNew(target, text);
    if (!json) print(target);
    written.push(target);
  }
  if (json) printJson(written);
  process.stderr.write(
    `To serve your own words, set ${variableOf("CONTENT_DIR")} to ${folder}. A file that you delete there is the built-in one again; without the folder articles, all articles are.\n`,
  );
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    makeFolder(path.dirname(file));
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      code === "EEXIST"
        ? `${file} is there already; nothing is overwritten.`
        : `${file} cannot be written: ${message}.`,
    );
  }
}
