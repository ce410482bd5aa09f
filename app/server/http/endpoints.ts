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
import { disconnectAfterResponse } from "./reject.ts";
import { disconnectSignal, logWhenDone, newRequestId } from "./request-context.ts";

/** An HTTP API endpoint: accepts one form from script or from another program. */
export interface Endpoint {
  form: FormName;
  /** The message of a 201 response. */
  successMessage: string;
  /** Accepts files, and reports the progress of an upload at `?upload=ID`. */
  acceptsFiles?: true;
}

const endpointsByForm: Record<FormName, Omit<Endpoint, "form">> = {
  contact: { successMessage: contactMessages.received },
  "demo-request": { successMessage: demoRequestMessages.received },
  "demo-upload": { successMessage: demoUploadMessages.received, acceptsFiles: true },
  "rubric-request": { successMessage: rubricRequestMessages.received, acceptsFiles: true },
  subscription: { successMessage: subscriptionMessages.received },
};

/** The endpoints by path. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  (Object.keys(apiPaths) as FormName[]).map((form) => [
    apiPaths[form],
    { form, ...endpointsByForm[form] },
  ]),
);

export interface EndpointDependencies {
  intake: Pick<Intake, "receive" | "findStep">;
  /** Sent with every response. */
  headers: [name: string, value: string][];
  log: Log;
}

/**
 * Handles a post: responds with 201 `{message, id, reference}`, or the problem's status and
 * `{error, code, fields}`. Bypasses the router, whose matching and web Request and Response objects
 * would take longer than all other work.
 */
export async function handleEndpointPost(
  { form, successMessage }: Endpoint,
  client: ClientInfo,
  request: IncomingMessage,
  response: ServerResponse,
  { intake, headers, log }: EndpointDependencies,
): Promise<void> {
  const id = newRequestId();
  const [path, query] = request.url!.split("?", 2) as [string, string | undefined];
  logWhenDone(request, response, { log, id, path });
  disconnectAfterResponse(request, response);
  const respond = (status: number, body: object, extraHeaders: [string, string][] = []) =>
    sendJson(response, status, body, [...headers, ["X-Request-Id", id], ...extraHeaders]);
  try {
    const outcome = await intake.receive(form, {
      contentType: request.headers["content-type"] ?? "",
      query: new URLSearchParams(query),
      signal: disconnectSignal(response),
      source: request,
      from: "api",
      ...client,
    });
    if (outcome.received) {
      const { id, reference } = outcome;
      respond(201, { message: successMessage, id, reference });
      return;
    }
    // `problem` is undefined only when a page removes a draft file.
    const { status, error, code, fields, retryAfter } = outcome.problem!;
    const retryHeader: [string, string][] = retryAfter ? [["Retry-After", String(retryAfter)]] : [];
    respond(status, { error, code, fields }, retryHeader);
  } catch (error) {
    log.error(`request ${id} failed`, error);
    respond(500, {
      error: `Something went wrong on our side. Please try again. (${id})`,
      code: "failed",
      fields: {},
    });
  }
}

/**
 * Sends an upload's progress as `{step}`, null once it has ended. Returns false if the URL names no
 * upload.
 */
export function sendUploadStep(
  { acceptsFiles }: Endpoint,
  { url }: IncomingMessage,
  response: ServerResponse,
  { intake, headers }: EndpointDependencies,
): boolean {
  const uploadId = new URLSearchParams(url!.split("?", 2)[1]).get("upload");
  if (!acceptsFiles || !uploadId) return false;
  sendJson(response, 200, { step: intake.findStep(uploadId) ?? null }, headers);
  return true;
}
