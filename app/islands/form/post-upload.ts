import type { UploadStatus, UploadStep } from "../../domain/upload.ts";
import { type FormResponse, readResponse } from "./api-response.ts";
import type { Outgoing, OutgoingFile, UploadSession } from "./upload-session.ts";

/** How often to ask for the server's step once everything is sent. */
const pollIntervalMs = 400;

/** What became of one post of an upload. Without a response the connection was lost. */
export interface PostResult {
  response?: FormResponse;
  /** Whether the response is about the moment, not about the upload. */
  isTemporary: boolean;
  retryAfterSeconds: number;
}

export const lost: PostResult = { isTemporary: false, retryAfterSeconds: 0 };

export interface UploadPost {
  path: string;
  session: UploadSession;
  outgoing: Outgoing;
  /** What has arrived before. */
  status: UploadStatus | undefined;
  /** The files that have not. */
  missing: OutgoingFile[];
  signal: AbortSignal;
  onBytes: (share: number) => void;
  onStep: (step: UploadStep) => void;
}

/** What the server has of an upload. @throws if it cannot be reached */
export async function findStatus(
  path: string,
  { id }: UploadSession,
  signal: AbortSignal,
): Promise<UploadStatus> {
  const response = await fetch(path, { headers: { "Upload-Id": id }, cache: "no-store", signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return await response.json();
}

/**
 * Posts an upload once, with the files that are missing. Uses XMLHttpRequest because fetch does not report
 * upload progress.
 */
export function postUpload(post: UploadPost): Promise<PostResult> {
  const { path, session, signal, onBytes, onStep } = post;
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    let polling: ReturnType<typeof setInterval> | undefined;
    const ended = new AbortController();
    const finish = (result: PostResult) => {
      clearInterval(polling);
      ended.abort();
      resolve(result);
    };
    xhr.open("POST", path);
    xhr.setRequestHeader("Upload-Id", session.id);
    xhr.responseType = "json";
    xhr.upload.onprogress = ({ loaded, total }) => onBytes(loaded / total);
    xhr.upload.onload = () => {
      onStep("checking");
      polling = setInterval(() => {
        // Ignored if the connection is lost: the upload itself fails too.
        const step = findStatus(path, session, ended.signal).then((status) => status.step);
        step.then((current) => current && !ended.signal.aborted && onStep(current)).catch(() => {});
      }, pollIntervalMs);
    };
    xhr.onload = () => finish(resultOf(xhr));
    xhr.onerror = () => finish(lost);
    xhr.onabort = () => finish({ ...lost, response: { kind: "cancelled" } });
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(bodyOf(post));
  });
}

/** The manifest comes first: the server checks the files against it as they arrive. */
function bodyOf({ outgoing: { texts, files, draftIds }, status, missing }: UploadPost): FormData {
  const body = new FormData();
  const arrived = status?.files.filter(({ position }) =>
    files.some((file) => file.position === position),
  );
  const kept = [...draftIds, ...(arrived ?? []).map(({ id }) => id)];
  const sent = missing.map(({ position }) => position);
  body.append("upload", JSON.stringify({ kept, sent }));
  for (const [name, text] of texts) body.append(name, text);
  for (const { field, file } of missing) body.append(field, file);
  return body;
}

function resultOf(xhr: XMLHttpRequest): PostResult {
  const response = readResponse(xhr.status, xhr.response);
  // To the server the connection seemed lost.
  if (response.kind === "rejected" && response.code === "stalled") return lost;
  return {
    response,
    isTemporary: [429, 502, 503, 504].includes(xhr.status),
    retryAfterSeconds: Number(xhr.getResponseHeader("Retry-After")) || 0,
  };
}
