import type { Problem } from "../../domain/problem.ts";
import { bytesOf } from "../../forms/files.ts";
import { pauseBefore, secondsLeft } from "../../forms/sending-time.ts";
import { errorSummary } from "../../forms/text-fields.ts";
import { type FormResponse, noResponse } from "./api-response.ts";
import type { Progress } from "./form-state.ts";
import {
  askForTurn,
  findStatus,
  lost,
  postFile,
  postTexts,
  type RequestResult,
} from "./upload-requests.ts";
import {
  contentOf,
  type Outgoing,
  type OutgoingFile,
  randomToken,
  type UploadSession,
} from "./upload-session.ts";

interface Upload {
  path: string;
  session: UploadSession;
  outgoing: Outgoing;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Called with all files that have arrived so far. */
  onArrived: (files: File[]) => void;
}

/** Max files in flight: a slow connection gains nothing by more files. */
const maxAtOnce = 3;

/**
 * Sends an upload, in turns with others from the same network. Tries again after a lost connection, and after a
 * temporary rejection of an upload that has begun: with growing pauses, and one file at a time. Ends when the upload is
 * received, rejected for good or cancelled. While nothing has moved, tries only once more, or not at all if offline.
 */
export async function sendFiles(upload: Upload): Promise<FormResponse> {
  const { session, signal } = upload;
  const progress = progressMeter(upload);
  let attempt = 0;
  let isRetry = false;
  for (;;) {
    const arrivedBefore = session.arrived.size;
    const result = await sendOnce(upload, progress, isRetry ? 1 : maxAtOnce);
    if (signal.aborted) return { kind: "cancelled" };
    const hasArrivals = session.arrived.size > arrivedBefore;
    const { response, isTemporary, retryAfterSeconds = 0, isCrowded } = result;
    const isFinal = !isTemporary || !(isRetry || hasArrivals || isCrowded);
    if (response && isFinal) return response;
    // Nothing has moved, so the server cannot be reached: after one more attempt the visitor decides.
    if (!progress.hasMoved() && (attempt > 0 || !navigator.onLine)) {
      return response ?? noResponse();
    }
    isRetry = true;
    if (hasArrivals) attempt = 0;
    // A server that is busy with other uploads gives out turns, so Retry-After does not matter.
    const seconds = Math.max(pauseBefore(attempt), isCrowded ? 0 : retryAfterSeconds);
    attempt += 1;
    const reason = isCrowded ? "busy" : "rejected";
    progress.show(response ? reason : "lost", seconds);
    await pause(seconds * 1000, signal);
  }
}

type ProgressMeter = ReturnType<typeof progressMeter>;

async function sendOnce(
  upload: Upload,
  progress: ProgressMeter,
  atOnce: number,
): Promise<RequestResult> {
  const { path, session, outgoing, signal } = upload;
  const ended = session.wasSent && (await learnArrived(upload).catch(() => lost));
  if (ended) return ended;
  session.wasSent = true;
  progress.begin();
  const failure = await sendMissing(upload, progress, atOnce);
  if (failure) return failure;
  progress.show("storing");
  session.posted = contentOf(outgoing);
  const result = await postTexts(path, session, outgoing, signal);
  const { response } = result;
  if (response?.kind !== "rejected" || response.code !== "files_gone") return result;
  // Only files of this upload can be sent again, not the files of an earlier draft.
  await learnArrived(upload).catch(() => {});
  const isMendable = outgoing.kept.length === 0 && missingFiles(upload).length > 0;
  return isMendable ? lost : result;
}

/**
 * Asks the server which files have arrived. If the form has become a request, returns the result or, if the form was
 * changed since, begins a new upload.
 */
async function learnArrived({
  path,
  session,
  outgoing,
  signal,
  onArrived,
}: Upload): Promise<RequestResult | undefined> {
  const { reference, files } = await findStatus(path, session, signal);
  if (reference && session.posted === contentOf(outgoing)) {
    return { response: { kind: "received", reference } };
  }
  if (reference) session.token = randomToken();
  const arrived = reference ? [] : files;
  const numbered = arrived.flatMap(({ id, number }) =>
    number === null ? [] : [[number, id] as const],
  );
  session.arrived = new Map(numbered);
  onArrived(arrivedFiles(outgoing, session));
  return undefined;
}

const missingFiles = ({ outgoing: { files }, session: { arrived } }: Upload): OutgoingFile[] =>
  files.filter(({ number }) => !arrived.has(number));

const arrivedFiles = ({ files }: Outgoing, { arrived }: UploadSession): File[] =>
  files.filter(({ number }) => arrived.has(number)).map(({ file }) => file);

/** Waits until the upload may send files. Returns the turn, or why there is none. */
async function waitForTurn(
  { path, session, signal }: Upload,
  progress: ProgressMeter,
): ReturnType<typeof askForTurn> {
  for (;;) {
    const result = await askForTurn(path, session, signal);
    if (!("places" in result)) return result;
    if (result.places > 0) {
      progress.showSending();
      return result;
    }
    progress.show("busy");
  }
}

async function sendFile(
  { path, session, outgoing, signal, onArrived }: Upload,
  progress: ProgressMeter,
  file: OutgoingFile,
): ReturnType<typeof postFile> {
  const onProgress = (bytes: number) => progress.setPassedOn(file, bytes);
  const result = await postFile(path, session, file, { signal, onProgress });
  progress.setPassedOn(file, 0);
  if ("id" in result) {
    session.arrived.set(file.number, result.id);
    onArrived(arrivedFiles(outgoing, session));
    progress.showSending();
  }
  return result;
}

/** Sends the missing files, also after one is rejected. Returns what went wrong; undefined if nothing did. */
async function sendMissing(
  upload: Upload,
  progress: ProgressMeter,
  atOnce: number,
): Promise<RequestResult | undefined> {
  const waiting = missingFiles(upload);
  if (waiting.length === 0) return undefined;
  const rejected: { file: OutgoingFile; fields: Problem["fields"] }[] = [];
  let failure: RequestResult | undefined;
  const sendWaiting = async (sender: number) => {
    for (let file = waiting.shift(); file && !failure; file = waiting.shift()) {
      const result = await sendFile(upload, progress, file);
      if (!("id" in result)) {
        const { response } = result;
        if (response?.kind === "rejected" && response.code === "invalid_files") {
          rejected.push({ file, fields: response.fields });
        } else failure = result;
      }
      if (!result.isCrowded) continue;
      // While others wait, only the first sender goes on, with a turn for each file.
      if (sender > 0 || waiting.length === 0 || failure) return;
      const turn = await waitForTurn(upload, progress);
      if (!("places" in turn)) failure ??= turn;
    }
  };
  const turn = await waitForTurn(upload, progress);
  if (!("places" in turn)) return turn;
  const senders = { length: Math.min(atOnce, turn.places) };
  await Promise.all(Array.from(senders, (_, sender) => sendWaiting(sender)));
  if (failure || rejected.length === 0) return failure;
  rejected.sort((a, b) => a.file.number - b.file.number);
  return asOneRejection(rejected.flatMap(({ fields }) => Object.entries(fields)));
}

function asOneRejection(errors: [field: string, messages: string[]][]): RequestResult {
  const fields: Problem["fields"] = {};
  for (const [field, messages] of errors) {
    fields[field] = [...(fields[field] ?? []), ...messages];
  }
  const error = errorSummary(fields);
  return { response: { kind: "rejected", code: "invalid_files", error, fields } };
}

/** Bytes that a browser reports as sent even if the connection never reaches the server. */
const maxBufferedBytes = 65_536;

/** Counts the bytes of files that have arrived and, of files in flight, those that the browser has passed on. */
function progressMeter({ outgoing, session, onProgress }: Upload) {
  const { files } = outgoing;
  const total = bytesOf(files.map(({ file }) => file));
  /** Bytes in flight, by the number of the file. */
  const inFlight = new Map<number, number>();
  let hasMoved = false;
  let startedAt = 0;
  let arrivedAtStart = 0;
  const arrived = () => bytesOf(arrivedFiles(outgoing, session));
  const passedOn = () => [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0);
  const show = (step: Progress["step"], seconds?: number) => {
    // Bytes on their way over a lost connection do not count, because they are sent again.
    const onTheWay = step === "lost" ? 0 : passedOn();
    onProgress({ fileCount: files.length, total, arrived: arrived(), onTheWay, step, seconds });
  };
  const showSending = () => {
    const sent = arrived() + passedOn();
    const elapsedMs = performance.now() - startedAt;
    show("sending", secondsLeft(sent - arrivedAtStart, total - arrivedAtStart, elapsedMs));
  };
  return {
    show,
    showSending,
    begin() {
      startedAt = performance.now();
      arrivedAtStart = arrived();
      showSending();
    },
    /** Records how many bytes of a file the browser has passed on; 0 if the file is not in flight any more. */
    setPassedOn({ number, file }: OutgoingFile, bytes: number) {
      hasMoved ||= bytes > maxBufferedBytes;
      if (bytes === 0) inFlight.delete(number);
      else inFlight.set(number, Math.min(bytes, file.size));
      if (bytes > 0) showSending();
    },
    hasMoved: () => hasMoved || arrived() > 0,
  };
}

/** Waits for a time, or until the connection is back or the visitor cancels. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end, { signal: ended.signal });
    signal.addEventListener("abort", end, { signal: ended.signal });
  });
}
