import type { UploadStep } from "../domain/upload.ts";
import { type Answer, readResponse } from "./api-response.ts";

/** How often the server is asked how far it is, once everything is sent; in milliseconds. */
const askEvery = 400;

/**
 * Posts a form to one of the calls. By XMLHttpRequest, because fetch does not tell how much of the
 * body has been sent.
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
): Promise<Answer> {
  const address = `${path}?upload=${randomId()}`;
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    let asking: ReturnType<typeof setInterval> | undefined;
    const ended = new AbortController();
    const end = (answer: Answer) => {
      clearInterval(asking);
      ended.abort();
      resolve(answer);
    };
    xhr.open("POST", address);
    xhr.responseType = "json";
    xhr.upload.onprogress = (event) => onBytes(event.loaded, event.total);
    xhr.upload.onload = () => {
      onStep("checking");
      asking = setInterval(() => void askStep(address, onStep, ended.signal), askEvery);
    };
    xhr.onload = () => end(readResponse(xhr.status, xhr.response));
    xhr.onerror = () => end({ kind: "failed" });
    xhr.onabort = () => end({ kind: "cancelled" });
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(form);
  });
}

async function askStep(
  address: string,
  onStep: (step: UploadStep) => void,
  ended: AbortSignal,
): Promise<void> {
  try {
    const { step } = await (await fetch(address, { signal: ended })).json();
    if (step && !ended.aborted) onStep(step);
  } catch {
    // The upload itself will tell whether the line is down.
  }
}

/** crypto.randomUUID is missing where an institution serves the site without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
