import {
  type Extension,
  fileSignatures,
  notPlainText,
  signatureError,
  wrongContent,
} from "../../forms/files.ts";

// Buffers, because searching a buffer for a string is five times slower.
const endMarker = Buffer.from("%%EOF");
const encryptKey = Buffer.from("/Encrypt");
const zipEndRecord = Buffer.from("PK\x05\x06", "latin1");

/** Returns a stream's name in the encoding of a compound file's directory. */
const streamName = (name: string) => Buffer.from(name, "utf16le");

/**
 * Checks by a few byte sequences that a file is of the type that its extension says. If the type allows it, also
 * checks that the file is whole, unencrypted and without macros. Other damage shows only when the file is opened.
 * @returns an error message to follow the file's name, or undefined
 */
export function contentError(extension: Extension, bytes: Buffer): string | undefined {
  try {
    return signatureError(extension, bytes.toString("latin1", 0, 8)) ?? checks[extension](bytes);
  } catch {
    return "The file is damaged and cannot be read";
  }
}

const checks: Record<Extension, (bytes: Buffer) => string | undefined> = {
  ".pdf": pdfError,
  ".doc": docError,
  ".docx": docxError,
  ".txt": txtError,
};

const cutShort = "The file is cut short: its end is missing";
const passwordProtected =
  "The file is protected with a password. Please save a copy without one and send that";
const startsWith = (bytes: Buffer, signature: Buffer) =>
  bytes.subarray(0, signature.length).equals(signature);

function pdfError(bytes: Buffer): string | undefined {
  // PDF readers look for the end marker in the last kilobyte, because some programs append a little to a file.
  if (!bytes.subarray(-1024).includes(endMarker)) return cutShort;
  return isEncryptedPdf(bytes) ? passwordProtected : undefined;
}

/** Whether a PDF's trailer names an encryption dictionary. A trailer is plain text, even that of a stream. */
function isEncryptedPdf(bytes: Buffer): boolean {
  const first = bytes.indexOf(encryptKey);
  // One search with a bounded pattern finds all keys: a search for each key of a file full of keys would take seconds.
  const encryption = /\/Encrypt\s{1,20}\d{1,10}\s{1,20}\d{1,5}\s{1,20}R/;
  return first !== -1 && encryption.test(bytes.toString("latin1", first));
}

function docError(bytes: Buffer): string | undefined {
  if (bytes.includes(streamName("EncryptedPackage"))) return passwordProtected;
  return bytes.includes(streamName("WordDocument")) ? undefined : wrongContent(".doc");
}

/** Finds problems of a .docx by the directory at the end of the zip file, where the entries' names are plain text. */
function docxError(bytes: Buffer): string | undefined {
  if (startsWith(bytes, Buffer.from(fileSignatures[".doc"], "latin1"))) {
    return bytes.includes(streamName("EncryptedPackage"))
      ? passwordProtected
      : wrongContent(".docx");
  }
  const endRecordAt = bytes.lastIndexOf(zipEndRecord);
  if (endRecordAt === -1) return cutShort;
  const directoryAt = bytes.readUInt32LE(endRecordAt + 16);
  const directory = bytes.subarray(directoryAt, endRecordAt);
  if (/vbaproject\.bin/i.test(directory.toString("latin1"))) {
    return "The file contains macros. Please save it as a document without macros";
  }
  return directory.includes("word/document.xml") ? undefined : wrongContent(".docx");
}

function txtError(bytes: Buffer): string | undefined {
  if (utf16Marks.some((mark) => startsWith(bytes, mark))) return utf16Error(bytes);
  if (bytes.includes(0)) return notPlainText;
  return decode(bytes, "utf-8") !== undefined || !hasUndefinedWindows1252Byte(bytes)
    ? undefined
    : "The text is in neither UTF-8 nor Windows-1252. Please save it as text in UTF-8";
}

/** The byte order marks of UTF-16, which Notepad's “Unicode” begins with: little and big endian. */
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

function utf16Error(bytes: Buffer): string | undefined {
  const text = decode(bytes, bytes[0] === 0xff ? "utf-16le" : "utf-16be");
  if (text?.includes("\0")) return notPlainText;
  return text === undefined ? "The text is damaged. Please save it as text in UTF-8" : undefined;
}

/** Returns the text, or undefined if the bytes are in another encoding. */
function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a text has one of the five bytes that Windows-1252 leaves undefined and TextDecoder accepts. */
const hasUndefinedWindows1252Byte = (bytes: Buffer) =>
  [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((undefinedByte) => bytes.includes(undefinedByte));
