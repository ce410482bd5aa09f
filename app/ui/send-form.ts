import type { UploadStep } from "../context.ts";
import { type Answer, readAnswer } from "./api-response.ts";

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
    const call = new XMLHttpRequest();
    let asking: ReturnType<typeof setInterval> | undefined;
    const ended = new AbortController();
    const end = (answer: Answer) => {
      clearInterval(asking);
      ended.abort();
      resolve(answer);
    };
    call.open("POST", address);
    call.responseType = "json";
    call.upload.onprogress = (event) => onBytes(event.loaded, event.total);
    call.upload.onload = () => {
      onStep("checking");
      asking = setInterval(() => void askStep(address, onStep, ended.signal), askEvery);
    };
    call.onload = () => end(readAnswer(call.status, call.response));
    call.onerror = () => end({ kind: "failed" });
    call.onabort = () => end({ kind: "cancelled" });
    signal.addEventListener("abort", () => call.abort());
    call.send(form);
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
