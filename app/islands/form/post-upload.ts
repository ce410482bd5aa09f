import type { UploadProgress, UploadStatus, UploadStep } from "../../domain/upload.ts";
import { type FormResponse, readResponse } from "./api-response.ts";
import type { Outgoing, OutgoingFile, UploadSession } from "./upload-session.ts";

/** How often to ask what has arrived. */
const pollIntervalMs = 600;

/** What became of one post of an upload. Without a response the connection was lost. */
export interface PostResult {
  response?: FormResponse;
  /** Whether the response is about the moment, not about the upload. */
  isTemporary: boolean;
  retryAfterSeconds: number;
}

export const lost: PostResult = { isTemporary: false, retryAfterSeconds: 0 };

interface UploadPost {
  path: string;
  session: UploadSession;
  outgoing: Outgoing;
  /** What has arrived before. */
  status: UploadStatus | undefined;
  /** The files that have not. */
  missing: OutgoingFile[];
  signal: AbortSignal;
  /** Called with the bytes that the browser has passed on, which may not have arrived yet. */
  onMoved: (bytes: number) => void;
  /** Called with the share of the body that has arrived, and the server's step. */
  onArriving: (share: number, step: UploadStep | null) => void;
}

/** What the server has of an upload. @throws if it cannot be reached */
export const findStatus = (path: string, session: UploadSession, signal: AbortSignal) =>
  get<UploadStatus>(path, session, signal);

async function get<Body>(path: string, { id }: UploadSession, signal: AbortSignal): Promise<Body> {
  const response = await fetch(path, { headers: { "Upload-Id": id }, cache: "no-store", signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return await response.json();
}

/**
 * Posts an upload once, with the files that are missing. Uses XMLHttpRequest because fetch does not report
 * upload progress.
 */
export function postUpload(post: UploadPost): Promise<PostResult> {
  const { path, session, signal, onMoved } = post;
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    const ended = new AbortController();
    const finish = (result: PostResult) => {
      ended.abort();
      resolve(result);
    };
    xhr.open("POST", path);
    xhr.setRequestHeader("Upload-Id", session.id);
    xhr.responseType = "json";
    let total = Number.POSITIVE_INFINITY;
    xhr.upload.onprogress = (event) => {
      total = event.total;
      onMoved(event.loaded);
    };
    void watchArrival(post, () => total, ended.signal);
    xhr.onload = () => finish(resultOf(xhr));
    xhr.onerror = () => finish(lost);
    xhr.onabort = () => finish({ ...lost, response: { kind: "cancelled" } });
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(bodyOf(post));
  });
}

/** The bytes that XMLHttpRequest counts are in buffers; only the server knows what has arrived. */
async function watchArrival(
  { path, session, onArriving }: UploadPost,
  total: () => number,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    // Ignored if the connection is lost: the upload itself fails too.
    const progress = await get<UploadProgress>(`${path}?progress`, session, ended).catch(() => {});
    if (!progress || ended.aborted) continue;
    onArriving(Math.min(1, progress.received / total()), progress.step);
  }
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
  // The server has lost the connection, or the browser has repeated the post by itself.
  if (response.kind === "rejected" && ["stalled", "stale_manifest"].includes(response.code))
    return lost;
  // A proxy cannot reach the server.
  if (xhr.status === 502 || xhr.status === 504) return lost;
  return {
    response,
    isTemporary: xhr.status === 429 || xhr.status === 503,
    retryAfterSeconds: Number(xhr.getResponseHeader("Retry-After")) || 0,
  };
}
