/** Rendering the files of a request for the marking desk. */
import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import type { RenderedFile } from "../../domain/page-image.ts";
import { printable } from "./print.ts";

/** What became of a file. */
interface RenderReport {
  file: string;
  pages: number;
  /** Why it must be opened itself, or what may be wrong with a page: sentences that begin with its name. */
  problems: string[];
}

/**
 * Renders those files of a request that have not been rendered, and stores each at once: run again, it goes on. Shows a
 * progress bar on a terminal, and prints problems.
 */
export async function renderPages(store: Store, reference: string): Promise<RenderReport[]> {
  const { renderFile } = await import("../../desk/render-file.ts");
  const { stderr } = process;
  const files = await store.listUnrenderedFiles(reference);
  const reports: RenderReport[] = [];
  for (const [index, { id, name }] of files.entries()) {
    if (stderr.isTTY) stderr.write(progressBar(index, files.length));
    const bytes = await store.readFile(id);
    if (!bytes) continue;
    const rendered = await renderFile({ bytes, name });
    await store.storeRendering(id, rendered, new Date());
    reports.push({ file: name, ...reportOn(name, rendered) });
  }
  if (stderr.isTTY && files.length > 0) stderr.write("\r\u001B[K");
  for (const { problems } of reports) {
    for (const problem of problems) stderr.write(`${printable(problem)}\n`);
  }
  return reports;
}

function progressBar(done: number, total: number): string {
  const filled = Math.round((done * 30) / total);
  return `\r${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done} of ${total} files`;
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
    .option("--scan")
    .action(async (extension: string, firstPage: string, { scan }: { scan?: true }) => {
      const { renderChild } = await import("../../desk/render-child.ts");
      await renderChild(extension, Number(firstPage), scan === true);
    });
  root.command("write-script", { hidden: true }).action(async () => {
    const { writeScriptChild } = await import("../../desk/render-child.ts");
    await writeScriptChild();
  });
}
