/** Sends the scan of a class in parts, as an upload of the demo form sends its files. */
import { maxScanBytes, scanPartBytes } from "../../domain/scan-upload.ts";
import { formatBytes } from "../../forms/files.ts";
import { aboutTime, connectionMessages } from "../../forms/sending-time.ts";
import type { FormResponse } from "../form/api-response.ts";
import type { Progress } from "../form/form-state.ts";
import { keepAwake } from "../form/keep-awake.ts";
import { sendFiles } from "../form/send-files.ts";
import {
  identityOf,
  newUploadSession,
  type OutgoingFile,
  type UploadSession,
} from "../form/upload-session.ts";

/** Sends the scan of a form in parts, and then the form with the key of the arrived scan in place of the file. */
export function enhanceScanForm(form: HTMLFormElement): void {
  form.addEventListener("submit", (event) => {
    const { files } = inputOf(form, "scan");
    const [file] = files!;
    if (!file) return;
    event.preventDefault();
    if (form.getAttribute("aria-busy") !== "true") void sendScan(form, file, event.submitter!);
  });
}

const inputOf = (form: HTMLFormElement, name: string) =>
  form.elements.namedItem(name) as HTMLInputElement;

async function sendScan(form: HTMLFormElement, file: File, submitter: HTMLElement): Promise<void> {
  const shown = form.querySelector<HTMLElement>(".sending")!;
  const status = shown.querySelector("p")!;
  const bytes = shown.querySelector(".figures")!;
  const bar = shown.querySelector("progress")!;
  const say = (text: string) => {
    // Screen readers would say the same sentence for each part.
    if (status.textContent !== text) status.textContent = text;
  };
  const stopped = new AbortController();
  shown.querySelector("button")!.onclick = () => stopped.abort();
  shown.hidden = false;
  form.setAttribute("aria-busy", "true");
  const response = await sendInParts(form.dataset.scan!, file, stopped.signal, (progress) => {
    const { step } = progress;
    const isSending = step === "sending" || step === "storing";
    say(isSending ? "Sending the scan." : connectionMessages[step]);
    bytes.textContent = bytesText(progress);
    bar.value = Math.floor((100 * (progress.arrived + progress.onTheWay)) / progress.total);
  });
  form.removeAttribute("aria-busy");
  if (response.kind !== "received") {
    say(failureText(response));
    return;
  }
  inputOf(form, "upload").value = response.reference;
  inputOf(form, "size").value = String(file.size);
  inputOf(form, "name").value = file.name;
  const chosen = inputOf(form, "scan");
  chosen.required = false;
  chosen.value = "";
  form.requestSubmit(submitter);
}

/** Uploads by the identity of their file, so that what has arrived before a failure is not sent again. */
const sessions = new Map<string, UploadSession>();

async function sendInParts(
  path: string,
  file: File,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<FormResponse> {
  if (file.size === 0) return { kind: "failed", error: `${file.name} is empty.` };
  if (file.size > maxScanBytes) {
    const error = `${file.name} has ${formatBytes(file.size)}, and a scan may have ${formatBytes(maxScanBytes)}. Scan the class in several parts, in grey at 150 dpi.`;
    return { kind: "failed", error };
  }
  const identity = identityOf(file);
  const session = sessions.get(identity) ?? newUploadSession();
  sessions.set(identity, session);
  const release = keepAwake();
  const response = await sendFiles({
    path,
    session,
    signal,
    onProgress,
    outgoing: { texts: [], files: partsOf(file), kept: [] },
    onArrived: () => {},
  }).finally(release);
  if (response.kind === "received" || response.kind === "rejected") sessions.delete(identity);
  return response;
}

function partsOf(file: File): OutgoingFile[] {
  const count = Math.ceil(file.size / scanPartBytes);
  return Array.from({ length: count }, (_, number) => ({
    field: "scan",
    number,
    file: new File([file.slice(number * scanPartBytes, (number + 1) * scanPartBytes)], file.name),
  }));
}

function bytesText({ step, arrived, total, seconds }: Progress): string {
  // During a pause, `seconds` is the time to the next attempt.
  const left = step !== "sending" || seconds === undefined ? "" : `, ${aboutTime(seconds)} left`;
  return `${formatBytes(arrived)} of ${formatBytes(total)} arrived${left}.`;
}

function failureText(response: Exclude<FormResponse, { kind: "received" }>): string {
  if (response.kind === "cancelled") return "Stopped. Press “Send the scan” to go on.";
  return (
    response.error ??
    "The connection is gone. What has arrived is kept: press “Send the scan” to go on."
  );
}
