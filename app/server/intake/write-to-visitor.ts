import { newToken, type Store } from "#db/store.ts";
import { dayMs } from "../../domain/duration.ts";
import type { FormName } from "../../domain/request.ts";
import { writesToSubscribers } from "../../domain/subscriber.ts";
import { forms } from "../../forms/all-forms.ts";
import { replyTimeOf, withReplyTime } from "../../forms/reply-time.ts";
import { subscriptionPath } from "../../site.ts";
import { type Config, senderOf } from "../config/load-config.ts";
import {
  acknowledgementEmail,
  confirmationEmail,
  maxVisitorEmailsPerClient,
  visitorEmailLimits,
} from "../email/visitor-emails.ts";
import type { Log } from "../log.ts";

/** A request that has been stored, and is neither a test nor suspected spam. */
interface Stored {
  form: FormName;
  reference: string;
  /** The address that the visitor typed. */
  address: string;
  /** The client's address, which is not stored. */
  client: string;
}

/**
 * Returns a function that puts the email to a visitor into the outbox, if settings, address and limits allow it. The
 * function never throws, because the request is stored already.
 */
export function newVisitorWriter(
  config: Pick<Config, "publicUrl" | "acknowledgesRequests" | "brand" | "mail">,
  store: Pick<Store, "acknowledge" | "askToConfirm">,
  now: () => Date,
  log: Log,
): (stored: Stored) => Promise<void> {
  const { publicUrl, acknowledgesRequests } = config;
  const sender = senderOf(config);
  const counts = newDailyCounts();
  /** Returns whether the email is in the outbox. */
  const write = async ({ form, reference, address: recipient }: Stored) => {
    if (form === "subscription") {
      const token = newToken();
      const link = `${publicUrl}${subscriptionPath}?token=${token}`;
      const email = confirmationEmail(recipient, sender);
      return await store.askToConfirm(email, { token, link }, visitorEmailLimits, now());
    }
    const { messages, replyTime } = forms[form];
    const receivedText = withReplyTime(messages.received, replyTimeOf({ replyTime }, config.brand));
    const email = acknowledgementEmail({ reference, recipient, receivedText }, sender);
    return await store.acknowledge(reference, email, visitorEmailLimits, now());
  };
  return async (stored) => {
    const { form, reference, client } = stored;
    if (form === "subscription" ? !writesToSubscribers(config) : !acknowledgesRequests) return;
    // Count before writing: posts of one client may arrive at once, and each would find the limit not yet reached.
    const isWithinLimit = counts.add(client, 1) <= maxVisitorEmailsPerClient;
    let isWritten = false;
    try {
      if (isWithinLimit) isWritten = await write(stored);
      // No warning about a subscription, which gets no email if its address is confirmed already.
      if (!isWritten && form !== "subscription") {
        log.warn(`request ${reference} was not acknowledged: a limit for emails is reached`);
      }
    } catch (error) {
      log.error(`request ${reference} is stored, but its visitor gets no email`, error);
    } finally {
      if (!isWritten) counts.add(client, -1);
    }
  };
}

/** Returns a counter per client, which begins again after a day, or when the server restarts. */
function newDailyCounts() {
  const counts = new Map<string, number>();
  let endsAt = 0;
  return {
    /** Returns the new count. */
    add(client: string, n: 1 | -1): number {
      // Not the system's clock, which may be set back.
      if (performance.now() > endsAt) {
        counts.clear();
        endsAt = performance.now() + dayMs;
      }
      const count = Math.max(0, (counts.get(client) ?? 0) + n);
      if (count === 0) counts.delete(client);
      else counts.set(client, count);
      return count;
    },
  };
}
