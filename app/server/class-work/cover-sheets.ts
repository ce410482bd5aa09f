/** Cover sheets of a class: one for each learner, to put on top of the pages before they are scanned. */
import { createHash } from "node:crypto";
import { type WorkError, workError } from "./class-work.ts";

/** Returns the hash that identifies a class in the codes of its cover sheets, too short to reveal the reference. */
export const classNumberOf = (reference: string) =>
  createHash("sha256").update(`cover sheets of ${reference}`).digest("hex").slice(0, 8);

/** Returns a PDF with a sheet for each learner. @param classNumber undefined for sheets that fit any class */
export async function coverSheets(
  learners: readonly { number: string; name: string }[],
  classNumber: string | undefined,
): Promise<Buffer | WorkError> {
  const { renderPdf } = await import("../../desk/render-file.ts");
  const parts = learners.map(({ number, name }) => ({
    sheet: { number, name, ...(classNumber && { classNumber }) },
  }));
  const pdf = await renderPdf(parts);
  return pdf ?? workError("invalid", "The sheets could not be written: the list is too long.");
}
