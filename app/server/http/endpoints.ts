import type { IncomingMessage, ServerResponse } from "node:http";
import type { FormName } from "../../domain/receipt.ts";
import { contactMessages } from "../../forms/contact.ts";
import { demoRequestMessages } from "../../forms/demo-request.ts";
import { demoUploadMessages } from "../../forms/demo-upload.ts";
import { rubricRequestMessages } from "../../forms/rubric-request.ts";
import { subscriptionMessages } from "../../forms/subscription.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { answerJson } from "./json-response.ts";
import type { Arrival } from "./rate-limit.ts";
import { cutOffAfterAnswer } from "./reject.ts";
import { goneSignal, logWhenDone, newRequestId } from "./request-context.ts";

/** A call under /api: a form that is posted by script or another program. */
export interface Call {
  form: FormName;
  /** What the answer says where it was received. */
  received: string;
  /** Takes files, and tells with `?upload=ID` how far an upload is. */
  takesFiles?: true;
}

export const calls = new Map<string, Call>([
  ["/api/contact", { form: "contact", received: contactMessages.received }],
  ["/api/demo-request", { form: "demo-request", received: demoRequestMessages.received }],
  [
    "/api/demo-request-with-files",
    { form: "demo-upload", received: demoUploadMessages.received, takesFiles: true },
  ],
  [
    "/api/rubric-regeneration",
    { form: "rubric-request", received: rubricRequestMessages.received, takesFiles: true },
  ],
  ["/api/subscription", { form: "subscription", received: subscriptionMessages.received }],
]);

export interface CallParts {
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
export async function answerCall(
  { form, received }: Call,
  arrival: Arrival,
  request: IncomingMessage,
  response: ServerResponse,
  { intake, headers, log }: CallParts,
): Promise<void> {
  const id = newRequestId();
  const [path, query] = request.url!.split("?", 2) as [string, string | undefined];
  logWhenDone(log, id, request, response, path);
  cutOffAfterAnswer(request, response);
  const answer = (status: number, body: object, more: [string, string][] = []) =>
    answerJson(response, status, body, [...headers, ["X-Request-Id", id], ...more]);
  try {
    const outcome = await intake.receive(form, {
      contentType: request.headers["content-type"] ?? "",
      query: new URLSearchParams(query),
      signal: goneSignal(response),
      source: request,
      from: "call",
      ...arrival,
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
export function answerStep(
  { takesFiles }: Call,
  { url }: IncomingMessage,
  response: ServerResponse,
  { intake, headers }: CallParts,
): boolean {
  const uploadId = new URLSearchParams(url!.split("?", 2)[1]).get("upload");
  if (!takesFiles || !uploadId) return false;
  answerJson(response, 200, { step: intake.findStep(uploadId) ?? null }, headers);
  return true;
}
