import path from "node:path";
import type { Command } from "commander";
import { makeFolder } from "#db/engine.ts";
import { variableOf } from "../config/settings-table.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { print } from "./print.ts";
import { writeNew } from "./write-new.ts";

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

async function exportContent(folder: string, { articles }: { articles?: true }): Promise<void> {
  // Reject an empty name: an empty variable in a script would mean the current folder.
  if (folder === "") throw new CommandFailed("Give a folder.", exitCodes.usage);
  const { builtInFiles, contentBytes, withoutBuiltInBlog } = await import(
    "../content/built-in-files.ts"
  );
  for (const [file, text] of articles ? builtInFiles : withoutBuiltInBlog(builtInFiles)) {
    const target = path.join(folder, file);
    makeFolder(path.dirname(target));
    await writeNew(target, contentBytes(file, text), 0o666);
    print(target);
  }
  process.stderr.write(
    `To serve these texts, set ${variableOf("CONTENT_DIR")} to ${folder}. If you delete a file there, the built-in one is served. ${articles ? "The articles speak for the built-in brand: edit or delete each. Without the folder articles they are served under that brand, and none under yours." : "Built-in articles are served under the built-in brand only; into another folder, --articles writes them too."}\n`,
  );
}
