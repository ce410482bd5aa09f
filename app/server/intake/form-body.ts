/** Reads the body of a form: urlencoded or multipart by form-data-parser, or JSON. */
import { ReadableStream } from "node:stream/web";
import {
  type FileUploadHandler,
  FormDataParseError,
  MaxFilesExceededError,
  MaxPartsExceededError,
  parseFormData,
} from "@mjackson/form-data-parser";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { Rejection } from "../rejection.ts";
import { type Body, chunksOf, malformed, readBody, textPace } from "./body.ts";
import { type FileSink, PartTrimmer } from "./part-trimmer.ts";

/**
 * Max bytes of all texts of a form: more than twice the longest urlencoded form, 5,494 characters of nine bytes each.
 * So people who type too much see the field's own error first. Lists and questions have up to 60,000 characters, and
 * are posted as multipart.
 */
export const maxTextBytes = 128 * 1024;

/** Max parts of a form. The form of the desk’s questions has the most. */
const maxParts = 1_000;

/** Max files of a form: 52 files, and 52 inputs that may replace them. */
const maxFiles = 104;

/** Max bytes of a form with all its files in one post: 52 files of the largest size fit, and some excess. */
export const maxFormBytes = (maxFileBytes: number): number => 60 * maxFileBytes;

/** A file in a form. */
export interface FilePart {
  /** The name of the file's field. */
  field: string;
  /** The name as the client sent it; "" for an empty file input. */
  fileName: string;
  /** True size in bytes; if it is over the limit, `bytes` is cut short. */
  size: number;
  bytes: Buffer;
}

interface PartsReading {
  /** Max bytes of a file that `onFile` gets. */
  maxFileBytes: number;
  /** Called with one file after another; the next file is read once `onFile` resolves. */
  onFile(file: FilePart): Promise<void> | void;
  /** Takes the files of one field; `onFile` gets them without bytes. */
  sink?: FileSink;
}

/** Whether a Content-Type is that of an HTML form. */
export const isFormType = (type: string) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);

/**
 * Reads a form without files, as an HTML form sends it.
 * @param options.rejectsDoubles rejects a field that is there twice; otherwise its last value counts
 * @throws Rejection 415, 413, 400
 */
export function readTexts(
  post: TextPost,
  { rejectsDoubles = false }: { rejectsDoubles?: boolean } = {},
): Promise<Record<string, string>> {
  const { contentType } = post;
  const isUrlEncoded = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i.test(contentType);
  return readInTurn(post, async (bytes) => {
    const form = await (isUrlEncoded
      ? parse("application/x-www-form-urlencoded", withoutPlus(bytes))
      : parseParts(contentType, [bytes], { maxFileBytes: 0, onFile: rejectFile }));
    const texts = Object.fromEntries(form);
    if (rejectsDoubles && Object.keys(texts).length < form.length) {
      throw new Rejection(400, "repeated_field", "A field was sent twice.");
    }
    return texts;
  });
}

/** A post of texts, with its body unread. */
type TextPost = Pick<IncomingPost, "contentType" | "source" | "takeTurn">;

/** Reads a body of texts, and parses it in its turn. */
async function readInTurn<T>(
  { source, takeTurn }: TextPost,
  parse: (bytes: Buffer<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const bytes = await readBody({ source, pace: textPace }, maxTextBytes);
  const endTurn = await takeTurn();
  try {
    return await parse(bytes);
  } finally {
    endTurn();
  }
}

/** Writes `+` as a space: URLSearchParams is slow, and needs megabytes, for a body full of `+`. */
const withoutPlus = (bytes: Buffer<ArrayBuffer>) =>
  bytes.map((byte) => (byte === 0x2b ? 0x20 : byte));

const rejectFile = () => {
  throw new Rejection(400, "unknown_field", "The form takes no files.");
};

/**
 * Reads a multipart form with about one part in memory. Returns the names and values of its texts; files go to
 * `onFile`.
 * @throws what `onFile` and `sink` throw; Rejection 415 (not multipart/form-data), 400 (malformed or cut
 * short), 413 (over a limit)
 */
export const readFormWithFiles = (
  type: string,
  body: Body,
  reading: PartsReading,
): Promise<[string, string][]> => parseParts(type, chunksOf(body), reading);

async function parseParts(
  type: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { maxFileBytes, onFile, sink }: PartsReading,
): Promise<[string, string][]> {
  const boundary = multipartBoundary(type);
  const limits = { texts: maxTextBytes, file: maxFileBytes };
  const trimmer = new PartTrimmer(boundary, limits, sink);
  const trimmed = trimmer.trim(chunks);
  try {
    return await parse(
      `multipart/form-data; boundary="${boundary}"`,
      ReadableStream.from(trimmed),
      async (upload) => {
        const { name: fileName, size, bytes } = trimmer.files.shift()!;
        await onFile({ field: upload.fieldName, fileName, size, bytes });
      },
    );
  } finally {
    // If the parser has stopped early, end the generator, which still watches the connection's pace.
    await trimmed.return(undefined);
  }
}

/**
 * Returns the names and values of a form's texts, and passes its files to `onFile`. The parser gets no limits on sizes,
 * because it would reject the whole form for one large part: `PartTrimmer` limits the texts and cuts the files.
 * @throws what `onFile` throws; Rejection
 */
async function parse(
  contentType: string,
  body: BodyInit | ReadableStream,
  onFile: FileUploadHandler = () => {},
): Promise<[string, string][]> {
  const request = new Request("http://form.invalid", {
    method: "POST",
    headers: { "Content-Type": contentType },
    body: body as BodyInit,
    ...({ duplex: "half" } as RequestInit),
  });
  const limits = {
    maxParts,
    maxFiles,
    maxFileSize: Number.POSITIVE_INFINITY,
    maxTotalSize: Number.POSITIVE_INFINITY,
  };
  let failure: unknown;
  const handle: FileUploadHandler = async (upload) => {
    try {
      await onFile(upload);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    return [...(await parseFormData(request, limits, handle))] as [string, string][];
  } catch (error) {
    throw error === failure ? error : asRejection(error);
  }
}

/** Returns the rejection that an error of the parser stands for; other errors are returned as they are. */
function asRejection(error: unknown): unknown {
  if (error instanceof MaxPartsExceededError || error instanceof MaxFilesExceededError) {
    return new Rejection(413, "too_many_parts", "The form has too many parts.");
  }
  if (error instanceof FormDataParseError) {
    return error.cause instanceof Rejection ? error.cause : malformed();
  }
  // The parser throws a TypeError for a text or header that is not UTF-8.
  return error instanceof TypeError ? malformed() : error;
}

const multipartType =
  /^multipart\/form-data; ?boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+.-]{1,70}))$/;

/**
 * Returns the boundary in a Content-Type header. Accepts only the spelling of browsers and HTTP libraries: the parser
 * does not apply its limits with other spellings, and a long boundary blocks it for seconds.
 * @throws Rejection 415, 400
 */
function multipartBoundary(contentType: string): string {
  const [, quoted, unquoted] = multipartType.exec(contentType) ?? [];
  const boundary = quoted ?? unquoted;
  if (boundary !== undefined) return boundary;
  if (contentType.startsWith("multipart/form-data")) {
    throw new Rejection(400, "malformed", "The form's boundary cannot be read.");
  }
  throw new Rejection(415, "wrong_content_type", "Please send the form as multipart/form-data.");
}

/**
 * Reads a post to an endpoint of a form without files: JSON, or what an HTML form sends. JSON is an
 * object of strings, in which null means not given.
 * @throws Rejection 415, 413, 400
 */
export async function readApiTexts(post: TextPost): Promise<Record<string, string>> {
  const { contentType } = post;
  if (isFormType(contentType)) return await readTexts(post);
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(contentType)) {
    throw new Rejection(
      415,
      "wrong_content_type",
      "Please send application/json, application/x-www-form-urlencoded or multipart/form-data.",
    );
  }
  return await readInTurn(post, parseJson);
}

async function parseJson(bytes: Buffer): Promise<Record<string, string>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Rejection(400, "malformed", "The body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Rejection(400, "malformed", "Please send a JSON object.");
  }
  const given = Object.entries(value).filter(([, text]) => text !== null);
  const wrong = given.find(([, text]) => typeof text !== "string");
  if (wrong) throw new Rejection(400, "malformed", "Every value of the object must be a string.");
  return Object.fromEntries(given);
}
