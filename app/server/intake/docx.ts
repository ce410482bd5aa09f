import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";

/** A real Word file of 2 MB unpacks to about 20 MB at most; far more is a zip bomb. */
const maxUnpackedBytes = 64 * 1024 * 1024;
const maxEntries = 2000;

/** XML of Word packs to a twentieth or so. Smaller entries may be blank images, and cost little. */
const maxRatio = 200;
const minRatioBytes = 1024 * 1024;

/** What an entry costs besides its bytes, as the bytes that could be unpacked in that time. */
const bytesPerEntry = 16 * 1024;

/** Larger entries are unpacked by another thread, in pieces. */
const maxSyncBytes = 128 * 1024;

/** How much the documents of one post may still unpack to, which bounds their processor time. */
export interface UnpackBudget {
  bytesLeft: number;
}

/** 52 files, the most that a form takes, of 4 MB each: twice what Word makes of a page with photos. */
export const newUnpackBudget = (): UnpackBudget => ({ bytesLeft: 200 * 1024 * 1024 });

/** What the directory of a zip says. Its sizes may be false. */
interface ZipDirectory {
  names: string[];
  isEncrypted: boolean;
  entries: Entry[];
}

/**
 * Reads the directory of a zip file, or returns an error message if it promises too much.
 * @throws if the file is damaged
 */
export async function openZip(
  bytes: Buffer,
  budget: UnpackBudget,
): Promise<ZipDirectory | { error: string }> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  if (zip.entryCount > maxEntries) return { error: "The file has more parts than a document has" };
  budget.bytesLeft -= zip.entryCount * bytesPerEntry;
  if (budget.bytesLeft < 0) return { error: overBudget };
  const entries: Entry[] = [];
  for await (const entry of entriesOf(zip)) entries.push(entry);
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpackedBytes > maxUnpackedBytes || entries.some(isOverpacked)) return { error: isBomb };
  if (unpackedBytes > budget.bytesLeft) return { error: overBudget };
  return {
    names: entries.map(({ fileName }) => fileName),
    isEncrypted: entries.some((entry) => entry.generalPurposeBitFlag & 1),
    entries,
  };
}

const isBomb = "The file unpacks to far more than a document needs";
const overBudget =
  "The documents of one upload may unpack to 200 MB. Please send this one in an upload of its own";

const isOverpacked = ({ compressedSize, uncompressedSize }: Entry) =>
  uncompressedSize > minRatioBytes && uncompressedSize > maxRatio * compressedSize;

/**
 * Unpacks all entries, and compares sizes and checksums with the directory.
 * @throws if the file is damaged
 */
export async function verifyEntries(
  bytes: Buffer,
  { entries }: ZipDirectory,
  budget: UnpackBudget,
): Promise<void> {
  for (const entry of entries) {
    budget.bytesLeft -= entry.uncompressedSize;
    const packed = packedBytes(bytes, entry);
    const isWhole = await (entry.uncompressedSize > maxSyncBytes
      ? isWholeInPieces(packed, entry)
      : isWholeAtOnce(packed, entry));
    if (!isWhole) throw new Error("an entry does not match its directory");
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const listeners = { entry: resolve, end: () => resolve(undefined), error: reject };
      zip.removeAllListeners();
      for (const [event, listener] of Object.entries(listeners)) zip.once(event, listener);
      zip.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

/** An entry's bytes in the file: after its local header, which repeats the name. */
function packedBytes(bytes: Buffer, entry: Entry): Buffer {
  const header = entry.relativeOffsetOfLocalHeader;
  if (bytes.readUInt32LE(header) !== 0x04034b50) throw new Error("there is no entry there");
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  const end = start + entry.compressedSize;
  if (end > bytes.length) throw new RangeError("an entry lies outside the file");
  return bytes.subarray(start, end);
}

function isWholeAtOnce(packed: Buffer, entry: Entry): boolean {
  // One byte more than declared: an entry that lies about its size throws soon after that.
  const unpacked = isStored(entry)
    ? packed
    : inflateRawSync(packed, { maxOutputLength: entry.uncompressedSize + 1 });
  return unpacked.length === entry.uncompressedSize && crc32(unpacked) === entry.crc32;
}

async function isWholeInPieces(packed: Buffer, entry: Entry): Promise<boolean> {
  let size = 0;
  let checksum = 0;
  for await (const piece of isStored(entry) ? [packed] : inflate(packed)) {
    size += piece.length;
    checksum = crc32(piece, checksum);
    if (size > entry.uncompressedSize) return false;
  }
  return size === entry.uncompressedSize && checksum === entry.crc32;
}

function inflate(packed: Buffer): AsyncIterable<Buffer> {
  const stream = createInflateRaw({ chunkSize: maxSyncBytes });
  stream.end(packed);
  return stream;
}

function isStored({ compressionMethod }: Entry): boolean {
  if (compressionMethod !== 0 && compressionMethod !== 8) {
    throw new Error("Word does not pack like this");
  }
  return compressionMethod === 0;
}
