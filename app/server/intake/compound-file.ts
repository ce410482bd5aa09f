/**
 * A compound file ([MS-CFB]), the container of Word documents before 2007. Written by hand because
 * libraries unpack every stream: a file of 2 MB whose streams all share one chain of sectors
 * unpacks to gigabytes. This reads each directory sector once.
 */
interface CompoundFile {
  /** The beginning of a stream, at least 12 bytes of it; undefined if there is no such stream. */
  startOf(name: string): Buffer | undefined;
  has(name: string): boolean;
}

const endOfChain = 0xfffffffa;
const entryBytes = 128;
/** Shorter streams are stored in the mini stream, in units of 64 bytes. */
const minStreamBytes = 4096;
const miniSectorBytes = 64;

/** @throws RangeError if the file is damaged */
export function openCompoundFile(bytes: Buffer): CompoundFile {
  const sectorBytes = 1 << bytes.readUInt16LE(30);
  if (sectorBytes !== 512 && sectorBytes !== 4096) throw new RangeError("odd sector size");
  const sector = (index: number) => {
    const start = (index + 1) * sectorBytes;
    if (start + 12 > bytes.length) throw new RangeError("a sector lies outside the file");
    return bytes.subarray(start, start + sectorBytes);
  };
  // The header lists the first 109 sectors of the allocation table: enough for 7 MB; the limit is 2
  // MB.
  const next = (index: number) => {
    const perSector = sectorBytes / 4;
    const table = Math.floor(index / perSector);
    if (table >= 109) throw new RangeError("a sector lies outside the table");
    return sector(bytes.readUInt32LE(76 + table * 4)).readUInt32LE((index % perSector) * 4);
  };

  const streams = new Map<string, { start: number; size: number }>();
  /** The first sector of the mini stream, which the first entry of the directory has. */
  let miniStream: number | undefined;
  const seen = new Set<number>();
  for (let index = bytes.readUInt32LE(48); index < endOfChain; index = next(index)) {
    if (seen.has(index)) throw new RangeError("the directory is a cycle");
    seen.add(index);
    const entries = sector(index);
    for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) {
      const nameBytes = Math.max(0, Math.min(64, entries.readUInt16LE(at + 64)) - 2);
      const name = entries.toString("utf16le", at, at + nameBytes);
      const start = entries.readUInt32LE(at + 116);
      streams.set(name, { start, size: entries.readUInt32LE(at + 120) });
      miniStream ??= start;
    }
  }
  const miniSector = (index: number) => {
    const offset = index * miniSectorBytes;
    if (offset >= bytes.length) throw new RangeError("a mini sector lies outside the file");
    let container = miniStream!;
    for (let passed = sectorBytes; passed <= offset; passed += sectorBytes) {
      container = next(container);
    }
    const at = offset % sectorBytes;
    return sector(container).subarray(at, at + miniSectorBytes);
  };
  return {
    has: (name) => streams.has(name),
    startOf(name) {
      const stream = streams.get(name);
      if (!stream) return undefined;
      return stream.size < minStreamBytes ? miniSector(stream.start) : sector(stream.start);
    },
  };
}
