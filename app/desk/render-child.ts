/** The child processes of render-file.ts. */
import { fstatSync, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { deserialize } from "node:v8";
import { encodeFrame, type Frame } from "./frames.ts";
import { docxParagraphs, textParagraphs } from "./paragraphs.ts";
import { RenderFailure } from "./render-failure.ts";
import type { ScriptPage, ScriptPart } from "./script-job.ts";

/**
 * Reads a file from stdin, and writes frames to stdout: the file's pages or paragraphs. For the scan of a class, writes
 * what each page is.
 */
export async function renderChild(
  extension: string,
  { firstPage, isScan }: { firstPage: number; isScan: boolean },
): Promise<void> {
  const bytes = await readInput();
  try {
    if (extension === ".docx") await send({ paragraphs: docxParagraphs(bytes) });
    else if (extension === ".txt") await send({ paragraphs: textParagraphs(bytes) });
    else {
      const { pdfFrames, webpReader } = await import("./pdf-pages.ts");
      const reader = isScan ? (await import("./scan-pages.ts")).scanReader : await webpReader();
      for await (const frame of pdfFrames(bytes, firstPage, reader)) await send(frame);
    }
  } catch (error) {
    if (!(error instanceof RenderFailure)) throw error;
    await send({ failed: error.failure });
  }
}

/** Reads all of stdin. A file is read into one piece of memory, a pipe into many that are joined. */
const readInput = async () =>
  fstatSync(0).isFile() ? readFileSync(0) : await buffer(process.stdin);

/** Reads a PDF from stdin, and writes a PDF of some of its pages to stdout. */
export const copyPagesChild = async (pages: ScriptPage[]) =>
  write([{ file: await readInput(), pages }]);

/** Reads the parts of a script or cover sheets from stdin, and writes their PDF to stdout. */
export const writeScriptChild = async () => write(deserialize(await readInput()));

async function write(parts: ScriptPart[]): Promise<void> {
  const { writeScript } = await import("./script-pdf.ts");
  await writeOut(await writeScript(parts));
}

/** Waits until a frame is written, because a limit may end the process at any later time. */
const send = (frame: Frame) => writeOut(encodeFrame(frame));

const writeOut = (bytes: Buffer) =>
  new Promise<void>((resolve, reject) =>
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
