/** The child process of render-file.ts. */
import { buffer } from "node:stream/consumers";
import { encodeFrame, type Frame } from "./frames.ts";
import { docxParagraphs, textParagraphs } from "./paragraphs.ts";
import { RenderFailure } from "./render-failure.ts";

/** Reads a file from stdin, and writes its pages or paragraphs to stdout as frames. */
export async function renderChild(extension: string, firstPage: number): Promise<void> {
  const bytes = await buffer(process.stdin);
  try {
    if (extension === ".docx") await send({ paragraphs: docxParagraphs(bytes) });
    else if (extension === ".txt") await send({ paragraphs: textParagraphs(bytes) });
    else {
      const { pdfFrames } = await import("./pdf-pages.ts");
      for await (const frame of pdfFrames(bytes, firstPage)) await send(frame);
    }
  } catch (error) {
    if (!(error instanceof RenderFailure)) throw error;
    await send({ failed: error.message });
  }
}

/** Waits until a frame is written, because a limit may end the process at any later time. */
const send = (frame: Frame) =>
  new Promise<void>((resolve) => {
    process.stdout.write(encodeFrame(frame), () => resolve());
  });
