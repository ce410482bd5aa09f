import { type FormResponse, noResponse, readResponse } from "./api-response.ts";
import { RequestFailed, request } from "./http-request.ts";

/** Posts a form without files to an API endpoint, as JSON. */
export async function sendTexts(
  path: string,
  form: FormData,
  signal: AbortSignal,
): Promise<FormResponse> {
  try {
    const response = await request("POST", path, Object.fromEntries(form), signal);
    return readResponse(response.status, await response.json());
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    if (!(error instanceof RequestFailed)) return noResponse();
    return readResponse(error.status, parseJson(error.body));
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
