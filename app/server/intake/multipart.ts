import {
  MaxHeaderSizeExceededError,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from "@mjackson/multipart-parser";
import { Rejection } from "../rejection.ts";
import type { Body } from "./body.ts";

export interface MultipartLimits {
  /** Bytes of one part. Of a larger part only the size is reported in full. */
  part: number;
  /** Number of parts. */
  parts: number;
  /** Bytes of the whole body. */
  body: number;
}

export interface Part {
  name: string;
  /** Undefined for a text field, "" for an empty file input. */
  fileName: string | undefined;
  /** True size in bytes; if it is over the limit, `bytes` is cut short. */
  size: number;
  /**
   * Valid until the next part is read, which reuses the memory. Large parts are in shared memory.
   */
  bytes: Buffer;
}

const maxHeaderBytes = 4096;

/**
 * Yields the parts of a multipart/form-data body as they arrive, with about one part in memory.
 * @throws Rejection 415 (not multipart/form-data), 400 (malformed or cut short), 413 (over a limit)
 */
export async function* readMultipart(
  contentType: string,
  body: Body,
  limits: MultipartLimits,
): AsyncGenerator<Part> {
  const boundary = multipartBoundary(contentType);
  const parser = new MultipartParser(boundary, {
    maxHeaderSize: maxHeaderBytes,
    maxFileSize: Number.POSITIVE_INFINITY,
  });
  const trimmer = new PartTrimmer(boundary, limits.part + maxHeaderBytes);
  const joinChunks = chunkJoiner(limits.part);
  let received = 0;
  let parts = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      received += chunk.length;
      if (received > limits.body) {
        throw new Rejection(413, "too_large", "Together the files are too large.");
      }
      try {
        for (const bytes of trimmer.trim(chunk)) {
          for (const part of parser.write(bytes)) {
            parts += 1;
            if (parts > limits.parts) {
              throw new Rejection(413, "too_many_parts", "The form has too many parts.");
            }
            yield toPart(part, trimmer.endPart(), joinChunks);
          }
        }
      } catch (error) {
        // Bytes after the last boundary are allowed (RFC 2046), but the parser throws.
        if (!(error instanceof MultipartParseError && isFinished(parser))) throw error;
      }
    }
  } catch (error) {
    throw asRejection(error);
  }
  if (!isFinished(parser)) throw asRejection(new MultipartParseError("cut short"));
}

/**
 * Reads and discards the rest of a body: many clients read the response only after sending all of
 * it.
 */
export async function drain(body: Body, maxBytes: number): Promise<void> {
  let left = maxBytes;
  try {
    for await (const chunk of chunksOf(body)) {
      left -= chunk.length;
      if (left < 0) return;
    }
  } catch {
    // The client has disconnected.
  }
}

/**
 * Reads a whole body into memory.
 * @throws Rejection 413 if it is over `maxBytes`, 400 if cut short
 */
export async function readBody(body: Body, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      size += chunk.length;
      if (size > maxBytes) throw new Rejection(413, "too_large", "The form is too large.");
      chunks.push(chunk);
    }
  } catch (error) {
    throw asRejection(error);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * The boundary in a Content-Type header. Accepts only the spelling of browsers and HTTP libraries:
 * lower case, and no other parameters.
 * @throws Rejection 415, 400
 */
export function multipartBoundary(contentType: string): string {
  const match =
    /^multipart\/form-data; ?boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+.-]{1,70}))$/.exec(
      contentType,
    );
  if (match) return (match[1] ?? match[2])!;
  if (contentType.startsWith("multipart/form-data")) {
    throw new Rejection(400, "malformed", "The form's boundary cannot be read.");
  }
  throw new Rejection(415, "wrong_content_type", "Please send the form as multipart/form-data.");
}

/**
 * The chunks of a body; a later call continues where an earlier one stopped.
 * @throws Rejection 400 if the client is slower than the body's pace
 */
async function* chunksOf(body: Body): AsyncGenerator<Buffer> {
  const stalled = Promise.withResolvers<never>();
  stalled.promise.catch(() => {});
  const { maxIdleMs, minBytesPerSecond } = body.pace;
  let waitingSince = performance.now();
  let waitedMs = 0;
  let received = 0;
  const watch = setInterval(() => {
    const idleMs = Math.max(0, performance.now() - waitingSince);
    const totalMs = waitedMs + idleMs;
    const isSlow = totalMs > maxIdleMs && received * 1000 < totalMs * minBytesPerSecond;
    if (idleMs > maxIdleMs || isSlow) stalled.reject(tooSlow());
  }, 1000);
  const chunks = body.source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      waitingSince = performance.now();
      const { done, value } = await Promise.race([chunks.next(), stalled.promise]);
      if (done) return;
      waitedMs += performance.now() - waitingSince;
      received += value.length;
      // Do not count the time that the server spends on the chunk.
      waitingSince = Number.POSITIVE_INFINITY;
      yield value;
    }
  } finally {
    clearInterval(watch);
    void chunks.return?.();
  }
}

const tooSlow = () =>
  new Rejection(400, "stalled", "The upload stopped before it was complete. Please send it again.");

/** True once the last boundary has been parsed. */
function isFinished(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch {
    return false;
  }
}

function toPart(part: MultipartPart, droppedBytes: number, joinChunks: JoinChunks): Part {
  const disposition = /^form-data((?:;\s*\w+="(?:\\"|[^"])*")+)$/i.exec(
    part.headers.get("Content-Disposition") ?? "",
  );
  const parameters = [...(disposition?.[1] ?? "").matchAll(/;\s*(\w+)="((?:\\"|[^"])*)"/g)];
  const { name, filename } = Object.fromEntries(
    // Browsers write a quotation mark as %22, some programs as \"; other backslashes are literal.
    parameters.map(([, key, value]) => [key, value!.replace(/%22|\\"/g, '"')]),
  );
  if (!name) throw new MultipartParseError("bad Content-Disposition");
  return {
    name,
    fileName: filename,
    size: part.size + droppedBytes,
    bytes: joinChunks(part),
  };
}

type JoinChunks = (part: MultipartPart) => Buffer;

/**
 * Returns a function that joins the chunks of a part. It reuses one buffer for large parts:
 * allocating megabytes for each would take longer than the parsing.
 */
function chunkJoiner(max: number): JoinChunks {
  let shared: Buffer | undefined;
  return ({ content, size }) => {
    if (size < 65_536 || size > max) return Buffer.concat(content);
    shared ??= Buffer.from(new SharedArrayBuffer(max));
    let end = 0;
    for (const chunk of content) {
      shared.set(chunk, end);
      end += chunk.length;
      free(chunk);
    }
    return shared.subarray(0, end);
  };
}

/**
 * Frees a chunk's memory at once, if the chunk owns its whole buffer. Left to the garbage
 * collector, six uploads cause two dozen full collections, which take a third of the time.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function asRejection(error: unknown): Rejection {
  if (error instanceof Rejection) return error;
  if (error instanceof MaxHeaderSizeExceededError) {
    return new Rejection(413, "part_header_too_large", "A part of the form has too long a header.");
  }
  // What remains: errors of the parser, headers that are not UTF-8, and lost connections.
  return new Rejection(
    400,
    "malformed",
    "The form arrived incomplete or malformed. Please try again.",
  );
}

/**
 * Drops the bytes of a part between the limit and the next boundary. The parser buffers whole
 * parts, so without this a client could fill the memory.
 */
class PartTrimmer {
  readonly #delimiter: Buffer;
  readonly #max: number;
  /** Bytes passed to the parser since the last part ended. */
  #passed = 0;
  #dropped = 0;
  /** While dropping: the last bytes received, which may contain the start of the next boundary. */
  #tail: Buffer | null = null;
  /** Bytes at the start of the tail that the parser already has. */
  #tailPassed = 0;

  constructor(boundary: string, max: number) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#max = max;
  }

  /** Yields the bytes of a chunk that the parser needs. */
  *trim(chunk: Buffer): Generator<Buffer> {
    let needed = chunk;
    if (this.#tail) {
      const window = Buffer.concat([this.#tail, chunk]);
      const boundaryAt = window.indexOf(this.#delimiter);
      const droppable = boundaryAt === -1 ? window.length - this.#endOf(window).length : boundaryAt;
      this.#dropped += Math.max(0, droppable - this.#tailPassed);
      if (boundaryAt === -1) {
        this.#tailPassed = Math.max(0, this.#tailPassed - droppable);
        this.#tail = window.subarray(droppable);
        return;
      }
      needed = window.subarray(Math.max(boundaryAt, this.#tailPassed));
      this.#tail = null;
    }
    this.#passed += needed.length;
    yield needed;
    // By now the parser has read `needed` and called `endPart` for each part that ended in it, so a
    // count over the limit belongs to one long part.
    if (this.#passed > this.#max) {
      this.#tail = this.#endOf(needed);
      this.#tailPassed = this.#tail.length;
    }
  }

  /** To be called when a part is complete. Returns how many of its bytes were dropped. */
  endPart(): number {
    const dropped = this.#dropped;
    this.#passed = 0;
    this.#dropped = 0;
    return dropped;
  }

  /** The last bytes, as many as may be an incomplete boundary. */
  #endOf(bytes: Buffer): Buffer {
    return bytes.subarray(Math.max(0, bytes.length - this.#delimiter.length + 1));
  }
}
