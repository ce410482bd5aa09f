/** Rendering the files of a request for the marking desk. */

import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import type { RenderedFile } from "../../domain/page-image.ts";

/** What became of a file. */
export interface RenderReport {
  file: string;
  pages: number;
  /** Why it must be opened itself, or what may be wrong with a page: sentences that begin with its name. */
  problems: string[];
}

/**
 * Renders those files of a request that have not been rendered, and stores each at once: run again, it goes on.
 * @param onFile is called before each file
 */
export async function renderRequestPages(
  store: Store,
  reference: string,
  onFile: (done: number, total: number) => void,
): Promise<RenderReport[]> {
  const { renderFile } = await import("../../desk/render-file.ts");
  const files = await store.listUnrenderedFiles(reference);
  const reports: RenderReport[] = [];
  for (const [index, { id, name }] of files.entries()) {
    onFile(index, files.length);
    const bytes = await store.readFile(id);
    if (!bytes) continue;
    const rendered = await renderFile({ bytes, name });
    await store.storeRendering(id, rendered, new Date());
    reports.push({ file: name, ...reportOn(name, rendered) });
  }
  return reports;
}

function reportOn(name: string, rendered: RenderedFile): Omit<RenderReport, "file"> {
  if (rendered.kind === "original") return { pages: 0, problems: [`${name}: ${rendered.reason}`] };
  if (rendered.kind === "paragraphs") return { pages: 0, problems: [] };
  const { pages } = rendered;
  return {
    pages: pages.length,
    problems: pages.flatMap(({ warning }) => (warning ? `${name}: ${warning}` : [])),
  };
}

/** Adds the commands that the program runs itself as child processes, so no help lists them. */
export function addRenderFile(root: Command): void {
  root
    .command("render-file <extension> <first-page>", { hidden: true })
    .action(async (extension: string, firstPage: string) => {
      const { renderChild } = await import("../../desk/render-child.ts");
      await renderChild(extension, Number(firstPage));
    });
  root.command("write-script", { hidden: true }).action(async () => {
    const { writeScriptChild } = await import("../../desk/render-child.ts");
    await writeScriptChild();
  });
}
