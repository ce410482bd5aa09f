import {
  MaxHeaderSizeExceededError,
  MaxPartsExceededError,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from "@remix-run/multipart-parser";
import { Rejection } from "../rejection.ts";
import { type Body, chunksOf, malformed } from "./body.ts";
import { PartTrimmer } from "./part-trimmer.ts";

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
    maxParts: limits.parts,
    // The trimmer drops the excess of each part, and the whole body is counted below.
    maxFileSize: Number.POSITIVE_INFINITY,
    maxTotalSize: Number.POSITIVE_INFINITY,
  });
  const trimmer = new PartTrimmer(boundary, limits.part + maxHeaderBytes);
  const joinChunks = chunkJoiner(limits.part);
  let received = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      received += chunk.length;
      if (received > limits.body) {
        throw new Rejection(413, "too_large", "Together the files are too large.");
      }
      try {
        for (const bytes of trimmer.trim(chunk)) {
          for (const part of parser.write(bytes)) {
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
  if (!isFinished(parser)) throw malformed();
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
    part.headers["content-disposition"] ?? "",
  );
  const parameters = [...(disposition?.[1] ?? "").matchAll(/;\s*(\w+)="((?:\\"|[^"])*)"/g)];
  const { name, filename } = Object.fromEntries(
    // Browsers write a quotation mark as %22, some programs as \"; other backslashes are literal.
    parameters.map(([, key, value]) => [key, value!.replace(/%22|\\"/g, '"')]),
  );
  if (!name) {
    const error = "The form has a file whose name cannot be read. Please rename the file.";
    throw new Rejection(400, "malformed", error);
  }
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

/** What an error of the parser means for the visitor. */
export function asRejection(error: unknown): Rejection {
  if (error instanceof Rejection) return error;
  if (error instanceof MaxHeaderSizeExceededError) {
    return new Rejection(413, "part_header_too_large", "A part of the form has too long a header.");
  }
  if (error instanceof MaxPartsExceededError) {
    return new Rejection(413, "too_many_parts", "The form has too many parts.");
  }
  // What remains: errors of the parser, and headers that are not UTF-8.
  return malformed();
}
