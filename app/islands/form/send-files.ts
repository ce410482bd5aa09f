import { type FormResponse, readResponse } from "./api-response.ts";
import type { Progress } from "./form-state.ts";

/** How often to ask for the server's progress once everything is sent. */
const pollIntervalMs = 400;

/**
 * Posts a form to an API endpoint. Uses XMLHttpRequest because fetch does not report upload progress.
 */
export function sendFiles(
  path: string,
  form: FormData,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<FormResponse> {
  const url = `${path}?upload=${randomId()}`;
  const files = filesOf(form);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const show = (step: Progress["step"], sent: number) =>
    onProgress({ fileCount: files.length, total, sent, step });
  show("sending", 0);
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
    xhr.upload.onprogress = (event) => show("sending", (event.loaded / event.total) * total);
    xhr.upload.onload = () => {
      const showStep = (step: Progress["step"]) => show(step, total);
      showStep("checking");
      polling = setInterval(() => void pollStep(url, showStep, ended.signal), pollIntervalMs);
    };
    xhr.onload = () => finish(readResponse(xhr.status, xhr.response));
    xhr.onerror = () => finish({ kind: "failed" });
    xhr.onabort = () => finish({ kind: "cancelled" });
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(form);
  });
}

/** The files of a form; a picker without any counts as one without a name. */
export const filesOf = (form: FormData): { field: string; file: File }[] =>
  [...form].flatMap(([field, file]) =>
    file instanceof File && file.name ? [{ field, file }] : [],
  );

async function pollStep(
  url: string,
  onStep: (step: Progress["step"]) => void,
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
