import type { Store } from "#db/store.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import { markSent, recordFailure, whileLeased } from "../email/attempt.ts";
import { startOutboxLoop } from "../email/outbox-loop.ts";
import type { Loop } from "../jobs/loop.ts";
import type { Log } from "../log.ts";
import type { WebhookSettings } from "./webhook-request.ts";

export interface WebhookDependencies {
  store: Store;
  webhook: WebhookSettings;
  now: () => Date;
  log: Log;
}

/**
 * Sends the webhooks of the outbox. A crash between sending a webhook and marking it as sent sends it twice
 * (same webhook-id), but never loses it.
 */
export const startWebhookWorker = (dependencies: WebhookDependencies): Loop =>
  startOutboxLoop("webhook", dependencies, (entry) => deliverWebhook(entry, dependencies));

async function deliverWebhook(
  entry: OutboxEmail,
  { webhook, ...rest }: WebhookDependencies,
): Promise<void> {
  const dependencies = { ...rest, onLostLease() {} };
  const { store, now } = rest;
  const record = await store.findRequest(entry.reference!, now());
  // The request was deleted since the webhook was taken, and the webhook with it, so nothing is left to send.
  if (!record) return;
  const { webhookBody, postWebhook } = await import("./webhook-request.ts");
  const message = { id: entry.messageId, body: webhookBody(record.request, entry) };
  try {
    await whileLeased(entry, dependencies, () => postWebhook(webhook, message, now()));
  } catch (error) {
    const { message: reason } = error as Error;
    await recordFailure(entry, { error, reason, acceptedBy: [], recipients: [] }, dependencies);
    return;
  }
  await markSent(entry, dependencies);
}
