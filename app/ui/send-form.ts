import type { UploadStep } from "../domain/upload.ts";
import { type FormResponse, readResponse } from "./api-response.ts";

/** How often to ask for the server's progress once everything is sent. */
const pollIntervalMs = 400;

/**
 * Posts a form to an API endpoint. Uses XMLHttpRequest because fetch does not report upload progress.
 */
export function sendForm(
  path: string,
  form: FormData,
  {
    onBytes,
    onStep,
  }: {
    onBytes: (sent: number, total: number) => void;
    onStep: (step: UploadStep) => void;
  },
  signal: AbortSignal,
): Promise<FormResponse> {
  const url = `${path}?upload=${randomId()}`;
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    let polling: ReturnType<typeof setInterval> | undefined;
    const ended = new AbortController();
    const finish = (response: FormResponse) => {
      clearInterval(polling);
      ended.abort();
      resolve(response);
    };
    xhr.open("POST", url);
    xhr.responseType = "json";
    xhr.upload.onprogress = (event) => onBytes(event.loaded, event.total);
    xhr.upload.onload = () => {
      onStep("checking");
      polling = setInterval(() => void pollStep(url, onStep, ended.signal), pollIntervalMs);
    };
    xhr.onload = () => finish(readResponse(xhr.status, xhr.response));
    xhr.onerror = () => finish({ kind: "failed" });
    xhr.onabort = () => finish({ kind: "cancelled" });
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(form);
  });
}

async function pollStep(
  url: string,
  onStep: (step: UploadStep) => void,
  ended: AbortSignal,
): Promise<void> {
  try {
    const { step } = await (await fetch(url, { signal: ended })).json();
    if (step && !ended.aborted) onStep(step);
  } catch {
    // Ignored: if the connection is down, the upload itself fails too.
  }
}

/** crypto.randomUUID exists only in secure contexts, and the site may be served without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
