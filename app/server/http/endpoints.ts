import type { IncomingMessage, ServerResponse } from "node:http";
import type { FormName } from "../../domain/request.ts";
import { contactMessages } from "../../forms/contact.ts";
import { demoRequestMessages } from "../../forms/demo-request.ts";
import { demoUploadMessages } from "../../forms/demo-upload.ts";
import { rubricRequestMessages } from "../../forms/rubric-request.ts";
import { subscriptionMessages } from "../../forms/subscription.ts";
import { apiPaths } from "../../site.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { sendJson } from "./json-response.ts";
import type { ClientInfo } from "./rate-limit.ts";
import { cutOffAfterAnswer } from "./reject.ts";
import { goneSignal, logWhenDone, newRequestId } from "./request-context.ts";

/** An HTTP API endpoint: takes one form from script or from another program. */
export interface Endpoint {
  form: FormName;
  /** The message of a 201 response. */
  received: string;
  /** Takes files, and reports the progress of an upload at `?upload=ID`. */
  takesFiles?: true;
}

const endpointsByForm: Record<FormName, Omit<Endpoint, "form">> = {
  contact: { received: contactMessages.received },
  "demo-request": { received: demoRequestMessages.received },
  "demo-upload": { received: demoUploadMessages.received, takesFiles: true },
  "rubric-request": { received: rubricRequestMessages.received, takesFiles: true },
  subscription: { received: subscriptionMessages.received },
};

/** By path. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  (Object.keys(apiPaths) as FormName[]).map((form) => [
    apiPaths[form],
    { form, ...endpointsByForm[form] },
  ]),
);

export interface EndpointParts {
  intake: Pick<Intake, "receive" | "findStep">;
  /** Those that every answer carries. */
  headers: [name: string, value: string][];
  log: Log;
}

/**
 * Answers a post: 201 `{message, id, reference}`, or the problem's status and `{error, code, fields}`.
 * No router stands in front of it: finding the route and making web requests and answers would take
 * longer than everything else together.
 */
export async function handleEndpointPost(
  { form, received }: Endpoint,
  client: ClientInfo,
  request: IncomingMessage,
  response: ServerResponse,
  { intake, headers, log }: EndpointParts,
): Promise<void> {
  const id = newRequestId();
  const [path, query] = request.url!.split("?", 2) as [string, string | undefined];
  logWhenDone(log, id, request, response, path);
  cutOffAfterAnswer(request, response);
  const answer = (status: number, body: object, more: [string, string][] = []) =>
    sendJson(response, status, body, [...headers, ["X-Request-Id", id], ...more]);
  try {
    const outcome = await intake.receive(form, {
      contentType: request.headers["content-type"] ?? "",
      query: new URLSearchParams(query),
      signal: goneSignal(response),
      source: request,
      from: "api",
      ...client,
    });
    if (outcome.received) {
      const { id, reference } = outcome;
      answer(201, { message: received, id, reference });
      return;
    }
    // Only a page can be posted without wanting an answer.
    const { status, error, code, fields, retryAfter } = outcome.problem!;
    const retry: [string, string][] = retryAfter ? [["Retry-After", String(retryAfter)]] : [];
    answer(status, { error, code, fields }, retry);
  } catch (error) {
    log.error(`request ${id} failed`, error);
    answer(500, {
      error: `Something went wrong on our side. Please try again. (${id})`,
      code: "failed",
      fields: {},
    });
  }
}

/** Answers whoever asks how far an upload is: `{step}`, null when it has ended. False: nothing was asked. */
export function sendUploadStep(
  { takesFiles }: Endpoint,
  { url }: IncomingMessage,
  response: ServerResponse,
  { intake, headers }: EndpointParts,
): boolean {
  const uploadId = new URLSearchParams(url!.split("?", 2)[1]).get("upload");
  if (!takesFiles || !uploadId) return false;
  sendJson(response, 200, { step: intake.findStep(uploadId) ?? null }, headers);
  return true;
}
