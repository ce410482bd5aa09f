import { MultipartPart } from "@remix-run/multipart-parser";
import { Rejection } from "../rejection.ts";
import { tooLarge } from "./body.ts";

/** Max bytes of a part's header with the boundary in front of it. */
const maxHeaderBytes = 4096;

const headerEnd = Buffer.from("\r\n\r\n");
const empty = Buffer.alloc(0);

interface PartLimits {
  /** Max bytes of all texts together. */
  texts: number;
  /** Bytes of a file that are kept. */
  file: number;
}

/** A file that has arrived whole. */
interface TrimmedFile {
  name: string;
  /** True size in bytes; if it is over the limit, `bytes` is cut short. */
  size: number;
  bytes: Buffer;
}

/** A file that is arriving. */
interface ArrivingFile {
  name: string;
  isForSink: boolean;
  /** The number of bytes that have arrived. */
  size: number;
  /** The bytes that are kept. */
  pieces: Buffer[];
}

/** Takes the contents of the files of one field as they arrive, so that these files are never whole in memory. */
export interface FileSink {
  field: string;
  /** @param name of the file, as the client sent it */
  write(name: string, piece: Buffer): Promise<void>;
}

/**
 * Cuts off what a file has beyond its limit: the parser keeps whole parts in memory, and rejects a whole form for a
 * part that is too large. The parser gets empty files, because it would search and copy their contents again.
 */
export class PartTrimmer {
  /** The files that have arrived, in their order. */
  readonly files: TrimmedFile[] = [];
  readonly #delimiter: Buffer;
  readonly #limits: PartLimits;
  readonly #sink: FileSink | undefined;
  /** What has arrived and is not passed on yet, because a boundary or header may begin in it. */
  #pending: Buffer;
  /** The part whose content arrives; undefined within a header. */
  #part: ArrivingFile | "text" | undefined;
  #textBytes = 0;

  constructor(boundary: string, limits: PartLimits, sink?: FileSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#limits = limits;
    this.#sink = sink;
    // Only the first boundary has no line break in front of it: add one here, which `trim` takes off again.
    this.#pending = this.#delimiter.subarray(0, 2);
  }

  /**
   * Yields the form for the parser.
   * @throws Rejection 413 if a header or the texts are too long, 400 if a header cannot be read; what the sink throws
   */
  async *trim(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    let isFirst = true;
    for await (const chunk of chunks) {
      this.#pending = Buffer.concat([this.#pending, chunk]);
      for (let bytes = await this.#next(); bytes; bytes = await this.#next()) {
        yield isFirst ? bytes.subarray(2) : bytes;
        isFirst = false;
      }
      // Drop the bytes after the last boundary: they are allowed (RFC 2046), but the parser throws at them.
      if (this.#isAtEnd()) this.#pending = this.#pending.subarray(0, this.#delimiter.length + 2);
    }
    yield isFirst ? this.#pending.subarray(2) : this.#pending;
  }

  /** Takes a header or a piece of content from the pending bytes; undefined if more must arrive first. */
  async #next(): Promise<Buffer | undefined> {
    return this.#part === undefined ? this.#nextHeader() : await this.#nextContent(this.#part);
  }

  #nextHeader(): Buffer | undefined {
    if (this.#isAtEnd()) return undefined;
    const end = this.#pending.indexOf(headerEnd);
    if (end > maxHeaderBytes || (end === -1 && this.#pending.length > maxHeaderBytes)) {
      throw new Rejection(
        413,
        "part_header_too_large",
        "A part of the form has too long a header.",
      );
    }
    if (end === -1) return undefined;
    const header = this.#take(end + headerEnd.length);
    const part = new MultipartPart(header.subarray(this.#delimiter.length + 2, end), []);
    const name = fileNameOf(part);
    const isForSink = part.name === this.#sink?.field;
    this.#part = name === undefined ? "text" : { name, isForSink, size: 0, pieces: [] };
    return header;
  }

  async #nextContent(part: ArrivingFile | "text"): Promise<Buffer | undefined> {
    const end = this.#pending.indexOf(this.#delimiter);
    const undecided = this.#delimiter.length - 1;
    const content = this.#take(end === -1 ? Math.max(0, this.#pending.length - undecided) : end);
    if (end !== -1) this.#part = undefined;
    else if (content.length === 0) return undefined;
    if (part === "text") {
      this.#textBytes += content.length;
      if (this.#textBytes > this.#limits.texts) throw tooLarge();
      return content;
    }
    await this.#addToFile(part, content);
    if (end !== -1) {
      const { name, size, pieces } = part;
      this.files.push({ name, size, bytes: Buffer.concat(pieces) });
    }
    return empty;
  }

  async #addToFile(file: ArrivingFile, content: Buffer): Promise<void> {
    const kept = content.subarray(0, Math.max(0, this.#limits.file - file.size));
    file.size += content.length;
    if (file.isForSink && content.length > 0) await this.#sink!.write(file.name, content);
    // Store no empty piece: it would keep the chunk that it is cut from in memory.
    else if (kept.length > 0) file.pieces.push(kept);
  }

  /** Whether the pending bytes begin with the last boundary of the form. */
  #isAtEnd(): boolean {
    const end = this.#delimiter.length;
    return (
      this.#part === undefined &&
      this.#pending.subarray(0, end).equals(this.#delimiter) &&
      this.#pending.toString("latin1", end, end + 2) === "--"
    );
  }

  #take(length: number): Buffer {
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    return taken;
  }
}

/**
 * Returns the name of the file in a part; undefined for a text. Browsers write names by other rules than the parser
 * reads them, so the parser's name is not used.
 * @throws Rejection 400 if the name cannot be read
 */
function fileNameOf(part: MultipartPart): string | undefined {
  const disposition = /^form-data((?:;\s*\w+="(?:\\"|[^"])*")+)$/i.exec(
    part.headers["content-disposition"] ?? "",
  );
  if (!disposition || !part.name) {
    const error = "The form has a file whose name cannot be read. Please rename the file.";
    throw new Rejection(400, "malformed", error);
  }
  const [, name] = /;\s*filename="((?:\\"|[^"])*)"/.exec(disposition[1]!) ?? [];
  // Browsers write a quotation mark as %22, some programs as \"; other backslashes are literal.
  return part.isFile ? (name ?? "").replace(/%22|\\"/g, '"') : undefined;
}
