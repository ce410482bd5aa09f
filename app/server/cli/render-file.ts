import type { Command } from "commander";

/** Adds the command that the program runs itself as a child process, so no help lists it. */
export function addRenderFile(root: Command): void {
  root
    .command("render-file <extension> <first-page>", { hidden: true })
    .action(async (extension: string, firstPage: string) => {
      const { renderChild } = await import("../../desk/render-child.ts");
      await renderChild(extension, Number(firstPage));
    });
}
