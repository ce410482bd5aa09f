/** What a call answered, or that no answer came. */
export type Answer =
  | { kind: "received"; reference: string }
  | { kind: "refused"; status: number; error: string; fields: Record<string, string[]> }
  | { kind: "failed" }
  | { kind: "cancelled" };

/**
 * Posts a form to one of the calls. By XMLHttpRequest, because fetch does not tell how much of the
 * body has been sent.
 */
export function sendForm(
  path: string,
  form: FormData,
  onProgress: (sentBytes: number, totalBytes: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    const call = new XMLHttpRequest();
    call.open("POST", path);
    call.responseType = "json";
    call.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    call.onload = () => resolve(read(call.status, call.response));
    call.onerror = () => resolve({ kind: "failed" });
    call.onabort = () => resolve({ kind: "cancelled" });
    signal.addEventListener("abort", () => call.abort());
    call.send(form);
  });
}

function read(status: number, body: unknown): Answer {
  const { reference, error, fields } = (body ?? {}) as Record<string, unknown>;
  if (status === 201 && typeof reference === "string") return { kind: "received", reference };
  if (status >= 400 && status < 500 && typeof error === "string") {
    return { kind: "refused", status, error, fields: (fields ?? {}) as Record<string, string[]> };
  }
  return { kind: "failed" };
}
