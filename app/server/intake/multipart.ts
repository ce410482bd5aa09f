import {
  MaxHeaderSizeExceededError,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from "@mjackson/multipart-parser";
import type { Body } from "./body.ts";
import { Rejection } from "./rejection.ts";

export interface MultipartLimits {
  /** Bytes of one part that are kept. A larger part is read to its end, and only its size is kept. */
  part: number;
  parts: number;
  /** Bytes of the whole body. */
  body: number;
}

export interface Part {
  name: string;
  /** Undefined for a text field; "" for a file input that was left empty. */
  fileName: string | undefined;
  /** True size in bytes; where it is over the limit, `bytes` is cut short. */
  size: number;
  /** Good until the next part is asked for: its memory is used again, and shared with the database's thread. */
  bytes: Buffer;
}

const maxHeaderBytes = 4096;

/**
 * The parts of a multipart/form-data body as they arrive, holding about one part in memory.
 * @throws Refusal 415 (not multipart/form-data), 400 (malformed or cut short), 413 (over a limit)
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
  const gather = gatherer(limits.part);
  let received = 0;
  let parts = 0;
  try {
    for await (const chunk of piecesOf(body)) {
      received += chunk.length;
      if (received > limits.body) {
        throw new Rejection(413, "too_large", "The files are larger together than we can take.");
      }
      try {
        for (const piece of trimmer.trim(chunk)) {
          for (const part of parser.write(piece)) {
            parts += 1;
            if (parts > limits.parts) {
              throw new Rejection(413, "too_many_parts", "The form holds more parts than it may.");
            }
            yield toPart(part, trimmer.partDone(), gather);
          }
        }
      } catch (error) {
        // What follows the last boundary means nothing, but the parser refuses it.
        if (!(error instanceof MultipartParseError && isFinished(parser))) throw error;
      }
    }
  } catch (error) {
    throw asRejection(error);
  }
  if (!isFinished(parser)) throw asRejection(new MultipartParseError("cut short"));
}

/** Reads what is left of a body and forgets it, so that the client gets to reading the answer. */
export async function drain(body: Body, maxBytes: number): Promise<void> {
  let left = maxBytes;
  try {
    for await (const chunk of piecesOf(body)) {
      left -= chunk.length;
      if (left < 0) return;
    }
  } catch {
    // The client is gone; there is nobody left to answer.
  }
}

/** A body that is small by nature, whole. */
export async function readBody(body: Body, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of piecesOf(body)) {
      size += chunk.length;
      if (size > maxBytes)
        throw new Rejection(413, "too_large", "The form is larger than it may be.");
      chunks.push(chunk);
    }
  } catch (error) {
    throw asRejection(error);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * The boundary that a Content-Type tells. Case counts, and nothing stands beside the boundary: that is
 * how browsers and HTTP libraries send it.
 * @throws Refusal 415, 400
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

/** A body as it comes, wherever it is read from. It may be read in two goes, of which the second drains it. */
async function* piecesOf(body: Body): AsyncGenerator<Buffer> {
  const stalled = Promise.withResolvers<never>();
  stalled.promise.catch(() => {});
  const { maxIdleMs, minBytesPerSecond } = body.pace;
  let askedAt = performance.now();
  let waitedMs = 0;
  let received = 0;
  const watch = setInterval(() => {
    const idleMs = Math.max(0, performance.now() - askedAt);
    const allMs = waitedMs + idleMs;
    const isSlow = allMs > maxIdleMs && received * 1000 < allMs * minBytesPerSecond;
    if (idleMs > maxIdleMs || isSlow) stalled.reject(tooSlow());
  }, 1000);
  const pieces = body.source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      askedAt = performance.now();
      const { done, value } = await Promise.race([pieces.next(), stalled.promise]);
      if (done) return;
      waitedMs += performance.now() - askedAt;
      received += value.length;
      // While the piece is worked on, nobody waits for the client.
      askedAt = Number.POSITIVE_INFINITY;
      yield value;
    }
  } finally {
    clearInterval(watch);
    void pieces.return?.();
  }
}

const tooSlow = () =>
  new Rejection(400, "stalled", "The upload has stopped on its way. Please send it again.");

/** True once the last boundary is read. */
function isFinished(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch {
    return false;
  }
}

function toPart(part: MultipartPart, droppedBytes: number, gather: Gather): Part {
  const disposition = /^form-data((?:;\s*\w+="(?:\\"|[^"])*")+)$/i.exec(
    part.headers.get("Content-Disposition") ?? "",
  );
  const parameters = [...(disposition?.[1] ?? "").matchAll(/;\s*(\w+)="((?:\\"|[^"])*)"/g)];
  const { name, filename } = Object.fromEntries(
    // Browsers write a quotation mark as %22, some programs as \"; other backslashes mean themselves.
    parameters.map(([, key, value]) => [key, value!.replace(/%22|\\"/g, '"')]),
  );
  if (!name) throw new MultipartParseError("bad Content-Disposition");
  return {
    name,
    fileName: filename,
    size: part.size + droppedBytes,
    bytes: gather(part),
  };
}

type Gather = (part: MultipartPart) => Buffer;

/**
 * Puts the chunks of a part together, those of a file always in the same place: fresh megabytes for
 * each would cost more time than all of the parsing.
 */
function gatherer(max: number): Gather {
  let place: Buffer | undefined;
  return ({ content, size }) => {
    if (size < 65_536 || size > max) return Buffer.concat(content);
    place ??= Buffer.from(new SharedArrayBuffer(max));
    let end = 0;
    for (const chunk of content) {
      place.set(chunk, end);
      end += chunk.length;
      free(chunk);
    }
    return place.subarray(0, end);
  };
}

/**
 * Gives back a chunk that lies wholly inside one part, so that nobody else looks at it. The collector would
 * else see to all that an upload brings: two dozen full collections for six of them, a third of their time.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function asRejection(error: unknown): Rejection {
  if (error instanceof Rejection) return error;
  if (error instanceof MaxHeaderSizeExceededError) {
    return new Rejection(413, "part_header_too_large", "A part of the form has too long a header.");
  }
  // Left: the parser's own errors, headers that are not UTF-8, and a connection that broke off.
  return new Rejection(
    400,
    "malformed",
    "The form arrived incomplete or malformed. Please try again.",
  );
}

/**
 * Drops the inside of a part that is over the limit, from the point where nobody will want it until
 * its boundary. The parser keeps every part whole and would else hold all that a client cares to send.
 */
class PartTrimmer {
  readonly #delimiter: Buffer;
  readonly #max: number;
  /** Bytes handed on since the last part ended. */
  #passed = 0;
  #dropped = 0;
  /** While dropping: the last bytes seen, in which the next boundary may have begun. */
  #tail: Buffer | null = null;
  /** How many bytes at the start of the tail the parser has had already. */
  #handedOn = 0;

  constructor(boundary: string, max: number) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#max = max;
  }

  *trim(chunk: Buffer): Generator<Buffer> {
    let piece = chunk;
    if (this.#tail) {
      const window = Buffer.concat([this.#tail, chunk]);
      const boundaryAt = window.indexOf(this.#delimiter);
      const leaves = boundaryAt === -1 ? window.length - this.#endOf(window).length : boundaryAt;
      this.#dropped += Math.max(0, leaves - this.#handedOn);
      if (boundaryAt === -1) {
        this.#handedOn = Math.max(0, this.#handedOn - leaves);
        this.#tail = window.subarray(leaves);
        return;
      }
      piece = window.subarray(Math.max(boundaryAt, this.#handedOn));
      this.#tail = null;
    }
    this.#passed += piece.length;
    yield piece;
    // The parser has read all of `piece`: what is open now and over the limit is one long part.
    if (this.#passed > this.#max) {
      this.#tail = this.#endOf(piece);
      this.#handedOn = this.#tail.length;
    }
  }

  /** Called when a part is complete; returns how many of its bytes were dropped. */
  partDone(): number {
    const dropped = this.#dropped;
    this.#passed = 0;
    this.#dropped = 0;
    return dropped;
  }

  #endOf(bytes: Buffer): Buffer {
    return bytes.subarray(Math.max(0, bytes.length - this.#delimiter.length + 1));
  }
}
