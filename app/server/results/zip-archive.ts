/**
 * A zip file of which single entries are read and replaced. All others are copied as they are packed, so that
 * nothing is lost or unpacked that is not needed.
 */
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { SheetError, sheetLimits } from "./school-sheet.ts";

interface Entry {
  name: string;
  /** Of the entry in the central directory. */
  header: Buffer;
  /** From the local header to the next entry. */
  local: Buffer;
  dataStart: number;
}

const damaged = "is damaged";
const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
const endLength = 22;
const centralLength = 46;
const localLength = 30;
/** Where fields are in a header of the central directory. */
const field = { flags: 8, method: 10, crc: 16, packed: 20, size: 24, nameLength: 28, offset: 42 };

export class ZipArchive {
  readonly #entries: Entry[];
  readonly #end: Buffer;

  /** @throws SheetError if it is no zip file, or one that only an attacker writes */
  constructor(bytes: Buffer) {
    const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06"));
    if (end === -1 || end + endLength > bytes.length) throw new SheetError(damaged);
    this.#end = Buffer.from(bytes.subarray(end));
    const count = this.#end.readUInt16LE(10);
    const directory = this.#end.readUInt32LE(16);
    if (count === 0xffff || directory > end) throw new SheetError(damaged);
    try {
      this.#entries = entriesOf(bytes, { directory, count });
    } catch (error) {
      // A length or position outside the file.
      throw error instanceof RangeError ? new SheetError(damaged) : error;
    }
    const names = new Set(this.#entries.map(({ name }) => name));
    if (names.size < this.#entries.length) throw new SheetError(damaged);
  }

  get names(): string[] {
    return this.#entries.map(({ name }) => name);
  }

  /** Unpacks an entry; undefined if there is none of the name. */
  read(name: string): Buffer | undefined {
    const entry = this.#entries.find((one) => one.name === name);
    if (!entry) return undefined;
    const { header, local, dataStart } = entry;
    const packed = local.subarray(dataStart, dataStart + header.readUInt32LE(field.packed));
    const isPacked = header.readUInt16LE(field.method) === 8;
    const bytes = isPacked ? inflated(packed) : packed;
    if (bytes.length > sheetLimits.partBytes) throw tooLarge();
    if (crc32(bytes) !== header.readUInt32LE(field.crc)) throw new SheetError(damaged);
    return bytes;
  }

  /** The whole file, with other contents of some entries. */
  with(contents: ReadonlyMap<string, Buffer>): Buffer {
    const locals: Buffer[] = [];
    const headers: Buffer[] = [];
    let offset = 0;
    for (const entry of this.#entries) {
      const content = contents.get(entry.name);
      const { header, local } = content ? packedEntry(entry, content) : entry;
      const moved = Buffer.from(header);
      moved.writeUInt32LE(offset, field.offset);
      headers.push(moved);
      locals.push(local);
      offset += local.length;
    }
    const end = Buffer.from(this.#end);
    end.writeUInt32LE(
      headers.reduce((sum, { length }) => sum + length, 0),
      12,
    );
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...locals, ...headers, end]);
  }
}

const tooLarge = () =>
  new SheetError(`unpacks to more than ${sheetLimits.partBytes / 1_048_576} MB`);

function inflated(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: sheetLimits.partBytes });
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isBomb ? tooLarge() : new SheetError(damaged);
  }
}

/** @throws RangeError if a header points outside the file */
function entriesOf(
  bytes: Buffer,
  { directory, count }: { directory: number; count: number },
): Entry[] {
  const headers: Buffer[] = [];
  for (let at = directory; headers.length < count; ) {
    if (bytes.readUInt32LE(at) !== signatures.central) throw new SheetError(damaged);
    const lengths = [0, 2, 4].map((more) => bytes.readUInt16LE(at + field.nameLength + more));
    const length = lengths.reduce((sum, one) => sum + one, centralLength);
    headers.push(bytes.subarray(at, at + length));
    at += length;
  }
  const offsetOf = (header: Buffer) => header.readUInt32LE(field.offset);
  headers.sort((one, other) => offsetOf(one) - offsetOf(other));
  return headers.map((header, index) => {
    const start = offsetOf(header);
    const next = headers[index + 1];
    const local = bytes.subarray(start, next ? offsetOf(next) : directory);
    if (local.readUInt32LE(0) !== signatures.local) throw new SheetError(damaged);
    const dataStart = localLength + local.readUInt16LE(26) + local.readUInt16LE(28);
    // Entries that overlap would unpack the same bytes many times.
    if (dataStart + header.readUInt32LE(field.packed) > local.length) throw new SheetError(damaged);
    if (header.readUInt16LE(field.flags) & 1) throw new SheetError("is protected by a password");
    const nameEnd = centralLength + header.readUInt16LE(field.nameLength);
    return { name: header.toString("utf8", centralLength, nameEnd), header, local, dataStart };
  });
}

/** An entry with another content. Sizes stand in the header, not behind the data (flag 8). */
function packedEntry(entry: Entry, content: Buffer): Pick<Entry, "header" | "local"> {
  const packed = deflateRawSync(content);
  const header = Buffer.from(entry.header);
  header.writeUInt16LE(header.readUInt16LE(field.flags) & ~8, field.flags);
  header.writeUInt16LE(8, field.method);
  header.writeUInt32LE(crc32(content), field.crc);
  header.writeUInt32LE(packed.length, field.packed);
  header.writeUInt32LE(content.length, field.size);
  const nameLength = header.readUInt16LE(field.nameLength);
  const local = Buffer.alloc(localLength);
  local.writeUInt32LE(signatures.local, 0);
  // From the version to the length of the name, both headers have the same fields in the same order.
  header.copy(local, 4, 6, field.nameLength + 2);
  const name = header.subarray(centralLength, centralLength + nameLength);
  return { header, local: Buffer.concat([local, name, packed]) };
}
