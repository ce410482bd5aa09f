import { crc32, deflateRawSync } from "node:zlib";

/** 1 January 1980, so that the same content gives the same bytes. */
const dosDate = 0x21;
/** Version 2.0: the first one with deflate. */
const version = 20;
const deflated = 8;
const utf8Names = 0x800;

/** Returns a ZIP file. */
export function zip(files: ReadonlyMap<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of files) {
    const nameBytes = Buffer.from(name);
    const content = Buffer.from(text);
    const body = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(version, 0);
    common.writeUInt16LE(utf8Names, 2);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(dosDate, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const entry = Buffer.concat([Buffer.from("PK\x03\x04"), common, nameBytes, body]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([version, 0]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), madeBy, common, position, nameBytes]));
    bodies.push(entry);
    offset += entry.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, list, Buffer.from("PK\x05\x06"), end]);
}
