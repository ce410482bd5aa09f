import { type FormResponse, noResponse, readResponse } from "./api-response.ts";

export async function sendTexts(
  path: string,
  form: FormData,
  signal: AbortSignal,
): Promise<FormResponse> {
  try {
    const response = await postJson(path, Object.fromEntries(form), signal);
    const body = await response.json().catch(() => undefined);
    return readResponse(response.status, body);
  } catch {
    return signal.aborted ? { kind: "cancelled" } : noResponse();
  }
}

export const postJson = (path: string, body: unknown, signal: AbortSignal | null = null) =>
  fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
