/** Writes PDFs, honest ones and hostile ones. */
import { deflateSync } from "node:zlib";

/** An object's source: a dictionary or other value, or a stream with its dictionary's entries. */
export type PdfSource = string | { entries?: string; stream: Buffer | string };

/**
 * Returns a PDF whose objects have the numbers of the record's keys. Object 1 is the catalogue, unless another is
 * given, and object 2 the page tree.
 */
export function pdfOf(objects: Record<number, PdfSource>): Buffer {
  const all: Record<number, PdfSource> = { 1: "<</Type/Catalog/Pages 2 0 R>>", ...objects };
  const parts = [Buffer.from("%PDF-1.7\n")];
  const offsets: [number: number, offset: number][] = [];
  let size = parts[0]!.length;
  for (const [number, source] of Object.entries(all)) {
    const body = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      bytesOf(source),
      Buffer.from("\nendobj\n"),
    ]);
    offsets.push([Number(number), size]);
    parts.push(body);
    size += body.length;
  }
  const table = offsets.map(
    ([number, offset]) => `${number} 1\n${String(offset).padStart(10, "0")} 00000 n \n`,
  );
  const count = Math.max(...offsets.map(([number]) => number)) + 1;
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${table.join("")}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${size}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function bytesOf(source: PdfSource): Buffer {
  if (typeof source === "string") return Buffer.from(source, "latin1");
  const { stream: given } = source;
  const stream = typeof given === "string" ? Buffer.from(given, "latin1") : given;
  return Buffer.concat([
    Buffer.from(`<<${source.entries ?? ""}/Length ${stream.length}>>\nstream\n`),
    stream,
    Buffer.from("\nendstream"),
  ]);
}

interface Page {
  /** The content, as operators. */
  content?: string;
  /** More entries of the page, such as /Rotate 90. */
  entries?: string;
  /** The size in points; A4 if it is not given. */
  size?: [width: number, height: number];
  /** Entries of the resources. The font F1 is always there. */
  resources?: string;
}

/** Returns a PDF of fewer than 495 pages; `more` has objects from number 1000 on that the pages refer to. */
export function pdfOfPages(pages: Page[], more: Record<number, PdfSource> = {}): Buffer {
  const objects: Record<number, PdfSource> = {
    2: `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, i) => `${10 + 2 * i} 0 R`).join(" ")}]>>`,
    3: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  };
  pages.forEach(({ content = "", entries = "", size = [595, 842], resources = "" }, i) => {
    objects[10 + 2 * i] =
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size.join(" ")}]/Contents ${11 + 2 * i} 0 R/Resources<</Font<</F1 3 0 R>>${resources}>>${entries}>>`;
    objects[11 + 2 * i] = { stream: content };
  });
  return pdfOf({ ...objects, ...more });
}

/** Operators that write lines of text from the top of an A4 page. */
export const textLines = (lines: string[]) =>
  `BT /F1 12 Tf 16.8 TL 60 780 Td ${lines.map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj T*`).join(" ")} ET`;

/** An image of grey or RGB samples, one byte each. */
export const imageObject = (
  samples: Buffer,
  [width, height]: [number, number],
  colours: "DeviceGray" | "DeviceRGB",
): PdfSource => ({
  entries: `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/${colours}/BitsPerComponent 8/Filter/FlateDecode`,
  stream: deflateSync(samples),
});
