/** Messages to the receiver of webhooks, signed as Standard Webhooks (standardwebhooks.com) defines. */
import { createHmac } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { program } from "../../brand.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import { buildVersion } from "../build.ts";
import { trustedAuthorities } from "../system/trusted-authorities.ts";

export interface WebhookSettings {
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
}

/** The time for a response: a receiver that only stores the message takes less. */
const timeoutMs = 15_000;

/**
 * The content of the webhook about a request, or about its signed marks. Contains nothing about a person but the
 * reference. The body of the outbox's entry is the type of the event, empty for a new request.
 */
export const webhookBody = (
  { reference, receivedAt, form, requestType }: ListedRequest,
  { body, createdAt }: Pick<OutboxEmail, "body" | "createdAt">,
) =>
  JSON.stringify({
    type: body || "request.received",
    timestamp: body ? createdAt : receivedAt,
    data: { reference, form, requestType },
  });

/**
 * Posts a message; resolves if the receiver has accepted it (2xx). Redirects are not followed, and the
 * response's body is not read.
 * @param id the same for all attempts
 * @throws Error with a code, and with the responseCode if the receiver has responded
 */
export async function postWebhook(
  { url, secret }: WebhookSettings,
  { id, body }: { id: string; body: string },
  now: Date,
): Promise<void> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  const status = await send(url, { method: "POST", headers }, body);
  if (status >= 200 && status < 300) return;
  const error = new Error(`the receiver responded with ${status}`);
  throw Object.assign(error, { code: "HTTP", responseCode: status });
}

/** Rejects if the receiver cannot be reached. Any response will do, because no message is sent. */
export async function checkReceiver({ url }: Pick<WebhookSettings, "url">): Promise<void> {
  await send(url, { method: "HEAD" });
}

/** Resolves with the status of the response. */
function send(url: string, options: http.RequestOptions, body?: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const isEncrypted = url.startsWith("https:");
  const headers = { "User-Agent": `${program.command}/${buildVersion}`, ...options.headers };
  const signal = AbortSignal.timeout(timeoutMs);
  const request = isEncrypted
    ? https.request(url, { ...options, headers, signal, agent: false, ca: trustedAuthorities() })
    : http.request(url, { ...options, headers, signal, agent: false });
  request.on("response", (response) => {
    response.on("error", () => {}).destroy();
    resolve(response.statusCode!);
  });
  request.on("error", (error) => reject(signal.aborted ? timeoutError() : withMessage(error)));
  request.end(body);
  return promise;
}

const timeoutError = () =>
  Object.assign(new Error(`the receiver did not respond within ${timeoutMs / 1000} seconds`), {
    code: "ETIMEDOUT",
  });

/** Gives an error a message if it has none, as for a host name with several addresses, all of which failed. */
function withMessage(error: Error & { code?: string }): Error {
  error.message ||= error.code ?? "the connection failed";
  return error;
}
