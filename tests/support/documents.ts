import { utils, write } from "cfb";
import { zipSync } from "fflate";

/** Returns a compound file (the format of Word before 2007) with these streams. */
export function compoundFile(streams: Record<string, Buffer>): Buffer {
  const file = utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) utils.cfb_add(file, `/${name}`, content);
  return Buffer.from(write(file, { type: "buffer" }) as Uint8Array);
}

/** Returns a zip file with these entries, by name. */
export const zip = (contents: Record<string, string | Buffer>) => {
  const entries = Object.entries(contents).map(([name, content]) => [name, Buffer.from(content)]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
};

/** Returns a zip file whose directory says that its first entry unpacks to this many bytes. */
export function declaringSize(size: number, zipped: Buffer): Buffer {
  const copy = Buffer.from(zipped);
  copy.writeUInt32LE(size, copy.indexOf("PK\u0001\u0002") + 24);
  return copy;
}

/** Returns a WordDocument stream with the magic number; the rest is zeros. */
export function wordStream({ bytes = 5000 } = {}): Buffer {
  const stream = Buffer.alloc(bytes);
  stream.writeUInt16LE(0xa5ec, 0);
  return stream;
}

export const doc = () => compoundFile({ WordDocument: wordStream() });

export const docx = (more: Record<string, string | Buffer> = {}) =>
  zip({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<w:document>${"marks ".repeat(500)}</w:document>`,
    ...more,
  });
