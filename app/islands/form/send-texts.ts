import { type FormResponse, readResponse } from "./api-response.ts";
import { RequestFailed, request } from "./http-request.ts";

/** Posts a form without files to an API endpoint, as JSON. */
export async function sendTexts(path: string, form: FormData): Promise<FormResponse> {
  try {
    const response = await request("POST", path, Object.fromEntries(form));
    return readResponse(response.status, await response.json());
  } catch (error) {
    if (!(error instanceof RequestFailed)) return { kind: "failed" };
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
