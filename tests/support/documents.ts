import { crc32, deflateRawSync } from "node:zlib";
import { utils, write } from "cfb";

/** Returns a compound file (the format of Word before 2007) with these streams. */
export function compoundFile(streams: Record<string, Buffer>): Buffer {
  const file = utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) utils.cfb_add(file, `/${name}`, content);
  return Buffer.from(write(file, { type: "buffer" }) as Uint8Array);
}

interface ZipEntry {
  name: string;
  content: Buffer;
  /** A false size, as an attacker writes it. */
  declaredBytes?: number;
  /** A false checksum, as an attacker writes it. */
  checksum?: number;
}

/** Returns a zip file with these entries. */
function zipOf(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredBytes, checksum } of entries) {
    const packed = deflateRawSync(content);
    // Version, flags, method, time, date; checksum, sizes; lengths of the name and of more.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(checksum ?? crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(declaredBytes ?? content.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, Buffer.from(name), packed]);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), shared, place, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, index, end]);
}

/** Returns a zip file with these entries, by name. */
export const zip = (entries: Record<string, string | Buffer>) =>
  zipOf(
    Object.entries(entries).map(([name, content]) => ({ name, content: Buffer.from(content) })),
  );

/**
 * Returns a WordDocument stream with the magic number and the encryption flag; the rest is zeros.
 */
export function wordStream({ encrypted = false, bytes = 5000 } = {}): Buffer {
  const stream = Buffer.alloc(bytes);
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
