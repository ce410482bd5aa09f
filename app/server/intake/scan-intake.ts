/** Scans of classes: in parts by script, or in one post without script. A scan is never whole in memory. */
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { maxScanBytes, maxScanUploads, scanPartBytes } from "../../domain/scan-upload.ts";
import { maxSheetBytes, type ReadTeamForm } from "../../domain/team.ts";
import type { FileUpload, UploadStatus } from "../../domain/upload.ts";
import { fileSignatures } from "../../forms/files.ts";
import { maxClassListBytes } from "../../results/class-list.ts";
import { Rejection } from "../rejection.ts";
import { drain, isCutOff, maxPostBytes, readBody, uploadPace } from "./body.ts";
import type { FileOutcome } from "./draft-upload.ts";
import { validateName } from "./file-validation.ts";
import { type FilePart, readFormWithFiles } from "./form-body.ts";
import type { IntakeDependencies } from "./intake.ts";
import type { FileSink } from "./part-trimmer.ts";
import { problemOf } from "./problems.ts";

const failed = "Something went wrong on our side. Please try again.";
const scanTooLarge = `The scan has more than ${maxScanBytes / 1_048_576} MB. Scan the class in several parts, in grey at 150 dpi. Nothing was stored.`;
const notPdf = "This is not a PDF. Save the scan as PDF, and send that. Nothing was stored.";

/** Every method takes the token of a link to the team's page. */
export function openScanIntake(dependencies: IntakeDependencies) {
  const { store, turns, log } = dependencies;
  return {
    /** @throws Rejection unless the link takes scans now */
    async check(token: string) {
      await scanTargetOf(token, dependencies);
    },
    /** Returns what has arrived of the upload with a key. */
    async findUpload(token: string, key: string): Promise<UploadStatus> {
      const target = await store.findScanTarget(token);
      const found = target && (await store.findScanUpload(target.assessmentId, key));
      const files = found?.parts.map((position) => ({ id: position, number: position })) ?? [];
      return { files, reference: found?.isQueued ? key : null };
    },
    /** Receives a part of a scan. `part.token` is the key of the scan's upload, `part.number` the part's position. */
    async receivePart(token: string, post: IncomingPost, part: FileUpload): Promise<FileOutcome> {
      const { source, clientAddress, signal, length } = post;
      try {
        if (length > scanPartBytes) throw new Rejection(413, "too_large", scanTooLarge);
        const release = await turns.take(clientAddress, signal, { token: part.token, length });
        try {
          const id = await openUpload(token, dependencies, part);
          const bytes = await readBody({ source, pace: uploadPace }, scanPartBytes);
          await storePart({ id, position: part.number, bytes }, dependencies);
        } finally {
          release();
        }
        return { id: part.number, isRepeated: false, isCrowded: turns.isCrowded() };
      } catch (error) {
        if (!isCutOff(error)) await drain({ source, pace: uploadPace }, 2 * scanPartBytes);
        return { problem: problemOf(error, failed, log) };
      }
    },
    /** Reads a form with files, and stores the scan in it; undefined if the form cannot be read. */
    readForm: (token: string, post: IncomingPost) => readForm(token, post, dependencies),
  };
}

/**
 * Returns the id of the class whose scans a link takes.
 * @throws Rejection if the link takes no scans now
 */
async function scanTargetOf(
  linkToken: string,
  { store, hasFreeSpace }: IntakeDependencies,
): Promise<number> {
  const target = await store.findScanTarget(linkToken);
  if (!target) {
    const gone = "This link is not open any more. What you sent was not stored.";
    throw new Rejection(404, "not_found", gone);
  }
  if (target.signedBy !== undefined) {
    const signed = `${target.signedBy} has signed these marks: reopen them before you send a scan. Nothing was stored.`;
    throw new Rejection(409, "signed", signed);
  }
  if (!(await hasFreeSpace())) {
    const full = "There is no room for a scan at the moment. Nothing was stored.";
    throw new Rejection(503, "unavailable", full, { retryAfter: 60 });
  }
  return target.assessmentId;
}

/**
 * Opens an upload unless it is open, and returns its id.
 * @param upload its `token` is the key of the upload
 * @throws Rejection if the link takes no scans now, the name is invalid, too many scans wait, or this scan has arrived
 */
async function openUpload(
  linkToken: string,
  dependencies: IntakeDependencies,
  upload: Pick<FileUpload, "token" | "name">,
): Promise<number> {
  const { store, now } = dependencies;
  const assessmentId = await scanTargetOf(linkToken, dependencies);
  const validation = validateName(upload.name);
  if ("error" in validation) {
    throw new Rejection(422, "bad_name", `${validation.error}. Nothing was stored.`);
  }
  const opening = { key: upload.token, names: [validation.name] };
  const opened = await store.openScanUpload(assessmentId, opening, now());
  if (!opened) {
    const many = `${maxScanUploads} scans of this class are not cut yet. Send this one when one of them is, or discard one on the page. Nothing was stored.`;
    throw new Rejection(503, "too_many_scans", many, { retryAfter: 60 });
  }
  if (opened.isQueued) {
    throw new Rejection(409, "sent_before", "This scan has arrived already, and is being cut.");
  }
  return opened.id;
}

/** @throws Rejection 422 if the scan is not a PDF, 413 if it is too large, 409 if the upload was discarded */
async function storePart(
  { id, position, bytes }: { id: number; position: number; bytes: Buffer },
  { store }: IntakeDependencies,
): Promise<void> {
  if (position === 0 && !bytes.subarray(0, 1024).includes(fileSignatures[".pdf"])) {
    throw new Rejection(422, "not_a_pdf", notPdf);
  }
  if (position >= maxScanBytes / scanPartBytes) throw new Rejection(413, "too_large", scanTooLarge);
  if (!(await store.addScanPart({ uploadId: id, scan: 0, position, bytes }))) {
    const gone = "The scan was discarded meanwhile. Please send it again.";
    throw new Rejection(409, "gone", gone);
  }
}

/** Stores a scan that comes in one post, part by part as it arrives. */
class ArrivingScan implements FileSink {
  readonly field = "scan";
  readonly key = randomUUID();
  name = "";
  size = 0;
  /** Why nothing of the scan is stored; undefined if nothing has failed. */
  failure: unknown;
  readonly #token: string;
  readonly #dependencies: IntakeDependencies;
  #id: number | undefined;
  #position = 0;
  #part = Buffer.alloc(scanPartBytes);
  #bytes = 0;

  constructor(token: string, dependencies: IntakeDependencies) {
    this.#token = token;
    this.#dependencies = dependencies;
  }

  async write(name: string, piece: Buffer): Promise<void> {
    this.name = name;
    this.size += piece.length;
    // A scan that cannot be stored is read all the same: the texts follow it, and come back in the form.
    if (this.failure !== undefined) return;
    for (let taken = 0; taken < piece.length; ) {
      const copied = piece.copy(this.#part, this.#bytes, taken);
      taken += copied;
      this.#bytes += copied;
      if (this.#bytes === scanPartBytes) await this.#flush();
    }
  }

  /** Stores the last part, which may be shorter. */
  async end(): Promise<void> {
    if (this.#bytes > 0) await this.#flush();
  }

  async discard(): Promise<void> {
    const { store } = this.#dependencies;
    const target = await store.findScanTarget(this.#token);
    if (target) await store.discardScanUpload(target.assessmentId, this.key);
  }

  async #flush(): Promise<void> {
    const bytes = this.#part.subarray(0, this.#bytes);
    // The store keeps the memory of this part, so the next part needs a new buffer.
    this.#part = Buffer.alloc(scanPartBytes);
    this.#bytes = 0;
    if (this.failure !== undefined) return;
    const position = this.#position;
    this.#position += 1;
    try {
      const { key: token, name } = this;
      this.#id ??= await openUpload(this.#token, this.#dependencies, { token, name });
      await storePart({ id: this.#id, position, bytes }, this.#dependencies);
    } catch (error) {
      this.failure = error;
      await this.discard();
    }
  }
}

async function readForm(
  token: string,
  post: IncomingPost,
  dependencies: IntakeDependencies,
): Promise<ReadTeamForm | undefined> {
  const { contentType, source, length } = post;
  const scan = new ArrivingScan(token, dependencies);
  // The rest of the form, such as a sheet or a list, is smaller than two parts of a scan.
  if (length > maxScanBytes + 2 * scanPartBytes) {
    scan.failure = new Rejection(413, "too_large", scanTooLarge);
  }
  let list: FilePart | undefined;
  let sheet: FilePart | undefined;
  // Drop the files of all other fields: a client could fill the memory with them.
  const onFile = (file: FilePart) => {
    if (file.size === 0) return;
    if (file.field === "listFile") list = file;
    else if (file.field === "sheet") sheet = file;
  };
  const body = { source, pace: uploadPace };
  try {
    const reading = { maxFileBytes: maxSheetBytes, onFile, sink: scan };
    const texts = await readFormWithFiles(contentType, body, reading);
    await scan.end();
    const typed = Object.fromEntries(texts);
    if (scan.failure !== undefined) {
      return { typed, failure: problemOf(scan.failure, failed, dependencies.log) };
    }
    if (scan.size > 0) {
      Object.assign(typed, { upload: scan.key, name: scan.name, size: String(scan.size) });
    }
    return { typed, ...(list && readList(list)), ...(sheet && readSheet(sheet)) };
  } catch (error) {
    await scan.discard();
    if (!(error instanceof Rejection)) throw error;
    if (!isCutOff(error)) await drain(body, maxPostBytes(dependencies.maxFileBytes));
    return undefined;
  }
}

function readSheet({ fileName: name, size, bytes }: FilePart): Partial<ReadTeamForm> {
  if (size <= maxSheetBytes) return { sheet: { name, bytes } };
  const error = `“${name}” has more than ${maxSheetBytes / 1_048_576} MB, and this page takes no larger sheet. Nothing was filled in.`;
  return { failure: { status: 413, error } };
}

/** Returns the text of a class list that was chosen as a file, or why the file is rejected. */
function readList({ size, bytes }: FilePart): Pick<ReadTeamForm, "list" | "failure"> {
  const rejected = (status: number, error: string) => ({ failure: { status, error } });
  const start = bytes.toString("latin1", 0, 8);
  // Excel's files begin with the same signatures as Word's.
  if ([fileSignatures[".doc"], fileSignatures[".docx"]].some((one) => start.startsWith(one))) {
    const workbook =
      "This is a workbook. In the spreadsheet program choose “Save as” or “Download”, and CSV UTF-8; then choose that file. Nothing was stored.";
    return rejected(422, workbook);
  }
  if (size > maxClassListBytes) {
    const large = `The file has more than ${maxClassListBytes / 1000} kB, and this page takes no larger one. Nothing was stored.`;
    return rejected(413, large);
  }
  return isUtf8(bytes)
    ? { list: new TextDecoder().decode(bytes) }
    : rejected(
        422,
        "The list is not UTF-8. A spreadsheet program calls the format “CSV UTF-8”. Nothing was stored.",
      );
}
