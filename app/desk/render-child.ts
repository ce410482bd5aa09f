/** The child processes of render-file.ts. */
import { buffer } from "node:stream/consumers";
import { encodeFrame, type Frame } from "./frames.ts";
import { docxParagraphs, textParagraphs } from "./paragraphs.ts";
import { RenderFailure } from "./render-failure.ts";
import { decodeJob } from "./script-job.ts";

/**
 * Reads a file from stdin, and writes its pages or paragraphs to stdout as frames; of the scan of a class, what its
 * pages are.
 */
export async function renderChild(
  extension: string,
  firstPage: number,
  isScan: boolean,
): Promise<void> {
  const bytes = await buffer(process.stdin);
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
    await send({ failed: error.message });
  }
}

/** Reads a script's job from stdin, and writes its PDF to stdout. */
export async function writeScriptChild(): Promise<void> {
  const { job, files } = decodeJob(await buffer(process.stdin));
  const { writeScript } = await import("./script-pdf.ts");
  const pdf = await writeScript(job, files);
  await new Promise<void>((resolve) => process.stdout.write(pdf, () => resolve()));
}

/** Waits until a frame is written, because a limit may end the process at any later time. */
const send = (frame: Frame) =>
  new Promise<void>((resolve) => {
    process.stdout.write(encodeFrame(frame), () => resolve());
  });
