import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { makeFolder } from "#db/engine.ts";
import { variableOf } from "../config/settings-table.ts";
import { alreadyExists, CommandFailed, exitCodes } from "./exit.ts";
import { print } from "./print.ts";

export function addContent(root: Command): void {
  root
    .command("content")
    .description("export the site’s texts")
    .command("export <folder>")
    .description(
      "write the built-in pages and brand.yaml into a folder, for editing; never overwrites",
    )
    .option("--articles", "the built-in articles too, with blog.yaml and the downloads")
    .action(exportContent);
}

/** Writes the built-in files into a folder, and prints the path of each file. */
async function exportContent(folder: string, { articles }: { articles?: true }): Promise<void> {
  // Reject an empty name: an empty variable in a script would mean the current folder.
  if (folder === "") throw new CommandFailed("Give a folder.", exitCodes.usage);
  const { builtInFiles, downloadsFolder, withoutBuiltInBlog } = await import(
    "../content/built-in-files.ts"
  );
  const files = builtInFiles();
  for (const [file, text] of articles ? files : withoutBuiltInBlog(files)) {
    const target = path.join(folder, file);
    await writeContentFile(
      target,
      Buffer.from(text, file.startsWith(downloadsFolder) ? "base64" : "utf8"),
    );
    print(target);
  }
  process.stderr.write(
    `To serve these texts, set ${variableOf("CONTENT_DIR")} to ${folder}. If you delete a file there, the built-in one is served. ${articles ? "The articles speak for the built-in brand: edit or delete each. Without the folder articles they are served under that brand, and none under yours." : "Built-in articles are served under the built-in brand only; --articles writes them too."}\n`,
  );
}

async function writeContentFile(file: string, content: Buffer): Promise<void> {
  try {
    makeFolder(path.dirname(file));
    await writeFile(file, content, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw alreadyExists(file);
    throw new CommandFailed(`${file} cannot be written: ${message}.`);
  }
}
