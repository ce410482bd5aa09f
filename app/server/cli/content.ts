import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { variableOf } from "../config/table.ts";
import { builtInFiles } from "../content/files.ts";
import { CommandFailed } from "./exit.ts";
import { print } from "./print.ts";

export function addContent(root: Command): void {
  root
    .command("content")
    .description("the words of the site")
    .command("export <folder>")
    .description("write the built-in words into a folder, for editing; never overwrites")
    .action(exportContent);
}

/** Prints the path of each file. */
async function exportContent(folder: string): Promise<void> {
  for (const [file, text] of builtInFiles()) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    try {
      await writeFile(target, text, { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new CommandFailed(`${target} is there already; nothing is overwritten.`);
    }
    print(target);
  }
  process.stderr.write(
    `To serve your own words, set ${variableOf("CONTENT_DIR")} to ${folder}. A file that you delete there is the built-in one again; without the folder articles, all articles are.\n`,
  );
}
