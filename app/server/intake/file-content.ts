import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import type { Extension } from "../../forms/files.ts";
import { openCompoundFile } from "./compound-file.ts";

/** A real Word file of 2 MB unpacks to about 20 MB at most; far more is a zip bomb. */
const maxUnpackedBytes = 64 * 1024 * 1024;
const maxEntries = 2000;

// Buffers, because searching a buffer for a string is five times slower.
const endMarker = Buffer.from("%%EOF");
const encryptKey = Buffer.from("/Encrypt");

const signatures = {
  pdf: Buffer.from("%PDF-"),
  compoundFile: Buffer.from("D0CF11E0A1B11AE1", "hex"),
  zip: Buffer.from("PK\x03\x04", "latin1"),
};

/**
 * Checks that a file is of the type that its extension says, complete, and not encrypted.
 * @returns an error message to follow the file's name, or undefined
 */
export async function contentError(
  extension: Extension,
  bytes: Buffer,
): Promise<string | undefined> {
  try {
    // The other checks hand the bytes to code that may keep a reference; the caller reuses the
    // memory.
    return await checks[extension](extension === ".pdf" ? bytes : Buffer.from(bytes));
  } catch {
    return "The file is damaged and cannot be read";
  }
}

const checks: Record<
  Extension,
  (bytes: Buffer) => string | undefined | Promise<string | undefined>
> = { ".pdf": pdfError, ".doc": docError, ".docx": docxError, ".txt": txtError };

const passwordProtected =
  "The file is protected with a password. Please save a copy without one and send that";
const notA = (kind: string) =>
  `This is not a ${kind} file, although its name ends in .${kind.toLowerCase()}`;
const startsWith = (bytes: Buffer, signature: Buffer) =>
  bytes.subarray(0, signature.length).equals(signature);

function pdfError(bytes: Buffer): string | undefined {
  if (!startsWith(bytes, signatures.pdf)) return notA("PDF");
  // PDF readers look for the end marker in the last kilobyte: some programs append a little to it.
  if (!bytes.subarray(-1024).includes(endMarker))
    return "The file is cut short: its end is missing";
  return isEncryptedPdf(bytes) ? passwordProtected : undefined;
}

/**
 * The trailer has /Encrypt in plain text, with a cross-reference table as well as with a stream.
 */
function isEncryptedPdf(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(encryptKey); at !== -1; at = bytes.indexOf(encryptKey, at + 1)) {
    if (/^\/Encrypt\s+\d+\s+\d+\s+R/.test(bytes.toString("latin1", at, at + 40))) return true;
  }
  return false;
}

function docError(bytes: Buffer): string | undefined {
  if (!startsWith(bytes, signatures.compoundFile)) return notA("DOC");
  const file = openCompoundFile(bytes);
  if (file.has("EncryptedPackage")) return passwordProtected;
  const header = file.startOf("WordDocument");
  // [MS-DOC] 2.5.2, FibBase: wIdent, and in the flags at offset 10 the bit fEncrypted.
  if (header?.readUInt16LE(0) !== 0xa5ec) return notA("DOC");
  return header.readUInt16LE(10) & 0x0100 ? passwordProtected : undefined;
}

async function docxError(bytes: Buffer): Promise<string | undefined> {
  if (startsWith(bytes, signatures.compoundFile)) {
    // Word wraps an encrypted DOCX in a compound file.
    return openCompoundFile(bytes).has("EncryptedPackage") ? passwordProtected : notA("DOCX");
  }
  if (!startsWith(bytes, signatures.zip)) return notA("DOCX");
  const zip = await openZip(bytes);
  if (zip.entryCount > maxEntries) return "The file has more parts than a document has";
  const names: string[] = [];
  let unpacked = 0;
  for await (const entry of entriesOf(zip)) {
    names.push(entry.fileName);
    if (entry.generalPurposeBitFlag & 1) return passwordProtected;
    unpacked += await unpackedSize(zip, entry, maxUnpackedBytes - unpacked);
    if (unpacked > maxUnpackedBytes) return "The file unpacks to far more than a document needs";
  }
  if (names.some((name) => name.toLowerCase().endsWith("vbaproject.bin"))) {
    return "The file contains macros. Please save it as a document without macros";
  }
  return names.includes("word/document.xml") ? undefined : notA("DOCX");
}

function txtError(bytes: Buffer): string | undefined {
  const isOther = Object.values(signatures).some((signature) => startsWith(bytes, signature));
  if (isOther) return notA("TXT");
  if (bytes.includes(0)) return "This is not plain text. Please save it as text in UTF-8";
  return decodes(bytes, "utf-8") || !hasUndefinedWindows1252Byte(bytes)
    ? undefined
    : "The text is in neither UTF-8 nor Windows-1252. Please save it as text in UTF-8";
}

function decodes(bytes: Buffer, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Windows-1252 leaves five bytes undefined, but TextDecoder accepts them. */
const hasUndefinedWindows1252Byte = (bytes: Buffer) =>
  [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((undefinedByte) => bytes.includes(undefinedByte));

function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    ),
  );
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

/** Measured by unpacking, because the sizes in a zip may be false. Stops soon after `max`. */
async function unpackedSize(zip: ZipFile, entry: Entry, max: number): Promise<number> {
  if (entry.uncompressedSize > max) return entry.uncompressedSize;
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream))),
  );
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > max) break;
  }
  return size;
}
