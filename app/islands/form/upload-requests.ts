/** The requests of an upload: for a turn, for each file, with the texts, and one that asks what has arrived. */
import type { UploadStatus } from "../../domain/upload.ts";
import { filesField, uploadHeaders } from "../../forms/machine-fields.ts";
import { type FormResponse, readResponse } from "./api-response.ts";
import type { Outgoing, OutgoingFile, UploadSession } from "./upload-session.ts";

/** Why an upload cannot go on, or how it has ended. Without a response the connection was lost. */
export interface RequestResult {
  response?: FormResponse;
  /** Whether the same request may succeed later. */
  isTemporary?: boolean;
  retryAfterSeconds?: number;
  /** Whether other uploads took all places. */
  isCrowded?: boolean;
}

export const lost: RequestResult = {};

const cancelled: RequestResult = { response: { kind: "cancelled" } };

/** What the server has of an upload. @throws if the server cannot be reached, or responds with an error */
export async function findStatus(
  path: string,
  { token }: UploadSession,
  signal: AbortSignal,
): Promise<UploadStatus> {
  const headers = { [uploadHeaders.draft]: token };
  const response = await fetch(path, { headers, cache: "no-store", signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return await response.json();
}

/** Asks for a turn. `places` is how many files may be sent at once; 0 means to ask again. */
export async function askForTurn(
  path: string,
  { token }: UploadSession,
  signal: AbortSignal,
): Promise<{ places: number } | RequestResult> {
  const headers = { [uploadHeaders.draft]: token, [uploadHeaders.turn]: "wait" };
  try {
    const response = await fetch(path, { method: "POST", headers, signal });
    const answer = await response.json().catch(() => undefined);
    if (response.ok && typeof answer?.places === "number") return { places: answer.places };
    const result = resultOf(response.status, answer, response.headers.get("Retry-After"));
    // The server says "busy" only after minutes, so the visitor decides whether to try again.
    return result.isCrowded ? { ...result, isTemporary: false } : result;
  } catch {
    return signal.aborted ? cancelled : lost;
  }
}

/**
 * Sends one file. Uses XMLHttpRequest because fetch does not report upload progress.
 * @param onProgress called with the bytes that the browser has passed on
 * @returns the server's id of the file, and whether others wait for places; or why the file has not arrived
 */
export function postFile(
  path: string,
  { token }: UploadSession,
  { file, number, field }: OutgoingFile,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<{ id: number; isCrowded: boolean } | RequestResult> {
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    xhr.open("POST", path);
    const headers = {
      "Content-Type": "application/octet-stream",
      [uploadHeaders.draft]: token,
      [uploadHeaders.number]: String(number),
      [uploadHeaders.field]: field,
      [uploadHeaders.name]: encodeURIComponent(file.name),
    };
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.responseType = "json";
    xhr.upload.onprogress = (event) => onProgress(event.loaded);
    xhr.onload = () => {
      const { status, response } = xhr;
      if (status === 201) resolve(response ?? lost);
      else resolve(resultOf(status, response, xhr.getResponseHeader("Retry-After")));
    };
    xhr.onerror = () => resolve(lost);
    xhr.onabort = () => resolve(cancelled);
    xhr.onloadend = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort);
    xhr.send(file);
  });
}

/** Ends an upload: sends the texts, and the ids of the form's files, in order. */
export async function postTexts(
  path: string,
  { token, arrived }: UploadSession,
  { texts, files, kept }: Outgoing,
  signal: AbortSignal,
): Promise<RequestResult> {
  const body = new FormData();
  for (const [name, text] of texts) body.append(name, text);
  const ids = [...kept.map(({ id }) => id), ...files.map(({ number }) => arrived.get(number))];
  body.append(filesField, ids.join(","));
  const headers = { [uploadHeaders.draft]: token };
  try {
    const response = await fetch(path, { method: "POST", headers, body, signal });
    const answer = await response.json().catch(() => undefined);
    return resultOf(response.status, answer, response.headers.get("Retry-After"));
  } catch {
    return signal.aborted ? cancelled : lost;
  }
}

function resultOf(status: number, body: unknown, retryAfter: string | null): RequestResult {
  const response = readResponse(status, body);
  // "stalled" says that the server has waited in vain for the rest of the body.
  if (response.kind === "rejected" && response.code === "stalled") return lost;
  // With these statuses a proxy says that it cannot reach the server.
  if (status === 502 || status === 504) return lost;
  const isTemporary = status === 429 || status === 503;
  const isCrowded = (body as { code?: unknown } | undefined)?.code === "busy";
  return { response, isTemporary, retryAfterSeconds: Number(retryAfter) || 0, isCrowded };
}
