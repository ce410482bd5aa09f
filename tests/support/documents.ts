import { utils, write } from "cfb";

/** Returns a compound file (the format of Word before 2007) with these streams. */
export function compoundFile(streams: Record<string, Buffer>): Buffer {
  const file = utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) utils.cfb_add(file, `/${name}`, content);
  return Buffer.from(write(file, { type: "buffer" }) as Uint8Array);
}

/** Returns a zip file with these entries. */
export function zip(entries: Record<string, string | Buffer>): Buffer {
  const file = utils.cfb_new();
  for (const [name, content] of Object.entries(entries)) {
    utils.cfb_add(file, `/${name}`, Buffer.from(content));
  }
  return Buffer.from(
    write(file, { type: "buffer", fileType: "zip", compression: true } as never) as Uint8Array,
  );
}

/**
 * Returns a WordDocument stream with the magic number and the encryption flag; the rest is zeros.
 */
export function wordStream({ encrypted = false } = {}): Buffer {
  const stream = Buffer.alloc(5000);
  stream.writeUInt16LE(0xa5ec, 0);
  stream.writeUInt16LE(encrypted ? 0x0100 : 0, 10);
  return stream;
}

export const doc = () => compoundFile({ WordDocument: wordStream() });

export const docx = (more: Record<string, string | Buffer> = {}) =>
  zip({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<w:document>${"marks ".repeat(500)}</w:document>`,
    ...more,
  });
