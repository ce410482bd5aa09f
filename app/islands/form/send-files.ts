import type { UploadStatus, UploadStep } from "../../domain/upload.ts";
import { pauseBefore, secondsLeft } from "../../forms/sending-time.ts";
import { type FormResponse, noResponse } from "./api-response.ts";
import type { Progress } from "./form-state.ts";
import { findStatus, lost, type PostResult, postUpload } from "./post-upload.ts";
import type { Outgoing, OutgoingFile, UploadSession } from "./upload-session.ts";

export interface Sending {
  path: string;
  session: UploadSession;
  outgoing: Outgoing;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Called with the files that have arrived. */
  onArrived: (files: File[]) => void;
}

/**
 * Sends an upload. A connection that is lost on the way is tried again, with growing pauses, until everything
 * has arrived or the visitor cancels.
 */
export async function sendFiles(sending: Sending): Promise<FormResponse> {
  const { signal } = sending;
  const progress = newProgress(sending);
  let attempt = 0;
  let hasBegun = false;
  let wasLost = false;
  for (;;) {
    const arrivedBefore = progress.arrived();
    const result = await sendOnce(sending, progress);
    if (signal.aborted) return { kind: "cancelled" };
    if (result.response && !(wasLost && result.isTemporary)) return result.response;
    wasLost = true;
    hasBegun ||= progress.hasMoved();
    // Without any progress the server cannot be reached: one more attempt, and the visitor decides.
    if (!hasBegun && (attempt > 0 || !navigator.onLine)) return noResponse();
    if (progress.arrived() > arrivedBefore) attempt = 0;
    const seconds = Math.max(pauseBefore(attempt), result.retryAfterSeconds);
    attempt += 1;
    progress.show("lost", seconds);
    await pause(seconds * 1000, signal);
  }
}

type ProgressMeter = ReturnType<typeof newProgress>;

async function sendOnce(sending: Sending, progress: ProgressMeter): Promise<PostResult> {
  const { path, session, outgoing, signal } = sending;
  let status: UploadStatus | undefined;
  try {
    if (session.wasSent) status = await findStatus(path, session, signal);
  } catch {
    return lost;
  }
  if (status?.reference) {
    return { ...lost, response: { kind: "received", reference: status.reference } };
  }
  const missing = missingFiles(outgoing, status);
  showArrived(sending, missing, progress);
  session.wasSent = true;
  const result = await postUpload({
    ...sending,
    status,
    missing,
    onMoved: progress.move,
    onArriving: progress.showArriving,
  });
  return await orAgain(result, sending, progress);
}

/** Turns responses that a further post can mend into a lost connection; shows what a rejected post left. */
async function orAgain(
  result: PostResult,
  sending: Sending,
  progress: ProgressMeter,
): Promise<PostResult> {
  const { response } = result;
  if (response?.kind !== "rejected") return result;
  const { path, session, outgoing, signal } = sending;
  const status = await findStatus(path, session, signal).catch(() => undefined);
  if (!status) return result;
  showArrived(sending, missingFiles(outgoing, status), progress);
  const isDraftThere = outgoing.draftIds.every((id) => status.files.some((file) => file.id === id));
  const isMended = response.code === "files_gone" && isDraftThere;
  return isMended ? lost : result;
}

const missingFiles = ({ files }: Outgoing, status: UploadStatus | undefined): OutgoingFile[] =>
  files.filter((file) => !status?.files.some(({ position }) => position === file.position));

function showArrived(
  { outgoing, onArrived }: Sending,
  missing: OutgoingFile[],
  progress: ProgressMeter,
): void {
  progress.begin(missing);
  onArrived(outgoing.files.filter((file) => !missing.includes(file)).map(({ file }) => file));
}

/** A browser passes on so many bytes even over a connection that never reaches the server. */
const maxBufferedBytes = 65_536;

const bytesOf = (files: OutgoingFile[]) => files.reduce((sum, { file }) => sum + file.size, 0);

/** Counts what has arrived, in whole files and of the post in progress. */
function newProgress({ outgoing: { files }, onProgress }: Sending) {
  const total = bytesOf(files);
  let missing = total;
  let share = 0;
  let hasMoved = false;
  let startedAt = 0;
  const show = (step: Progress["step"], seconds?: number) => {
    // What a lost connection was sending is sent again.
    const sent = total - missing + (step === "lost" ? 0 : share * missing);
    onProgress({ fileCount: files.length, total, sent, step, seconds });
  };
  const showSending = () =>
    show("sending", secondsLeft(share * missing, missing, performance.now() - startedAt));
  return {
    show,
    begin(missingFiles: OutgoingFile[]) {
      missing = bytesOf(missingFiles);
      share = 0;
      startedAt = performance.now();
      show("sending");
    },
    /** Shows the same again: something has happened. */
    move(passedOn: number) {
      hasMoved ||= passedOn > maxBufferedBytes;
      showSending();
    },
    showArriving(newShare: number, step: UploadStep | null) {
      share = newShare;
      if (share === 1 && step) show(step);
      else showSending();
    },
    arrived: () => total - missing,
    hasMoved: () => hasMoved,
  };
}

/** Waits; a connection that is back, or Cancel, ends the wait. */
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
