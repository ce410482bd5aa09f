import type { Store } from "#db/store.ts";
import { program } from "../../brand.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import type { Log } from "../log.ts";
import { linkPlaceholder } from "./compose.ts";
import { openTransport, type Transport } from "./transport.ts";

const seconds = 1000;
const firstRetryMs = 5 * seconds;
const maxRetryIntervalMs = 60 * 60 * seconds;
/** Commands release emails without calling `wake`, so the worker checks at least this often. */
const maxSleepMs = 60 * seconds;
const maxRetryMs = 48 * 60 * 60 * seconds;
/**
 * An email fails only after as many attempts as fit into 48 hours, or nearly: fewer mean that the
 * clock was wrong or the program did not run.
 */
const minAttempts = 50;

export interface MailSettings {
  url: string;
  from: string;
  to: string[];
  /** How long to wait for each reply of the mail server. */
  timeoutMs: number;
}

export interface OutboxWorker {
  /** Call it when an email has been added to the outbox. */
  wake(): void;
  /** Waits for the email that is being sent, then stops. */
  close(): Promise<void>;
}

/**
 * Sends the emails of the outbox one at a time, oldest due first, until it is closed. A crash
 * between sending an email and marking it as sent sends it twice (same Message-ID), but never loses
 * it.
 */
export function startOutboxWorker(
  store: Store,
  mail: MailSettings,
  now: () => Date,
  log: Log,
): OutboxWorker {
  const transport = openTransport(mail.url, mail.timeoutMs);
  let isClosing = false;
  let isWoken = false;
  let stopSleeping = () => {};

  async function work(): Promise<void> {
    while (!isClosing) {
      isWoken = false;
      const sleepMs = await sendDueEmails();
      if (isWoken || isClosing) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(Math.max(sleepMs, 0), maxSleepMs));
        stopSleeping = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Returns how long to sleep afterwards, in milliseconds. */
  async function sendDueEmails(): Promise<number> {
    try {
      while (!isClosing) {
        const email = await store.nextDueEmail(now());
        if (!email) break;
        await deliver(email, { store, transport, mail, now, log });
      }
      const due = await store.nextDueTime();
      return due ? due.getTime() - now().getTime() : maxSleepMs;
    } catch (error) {
      log.error("reading or writing the outbox failed; retrying in a minute", error);
      return 60 * seconds;
    }
  }

  const finished = work();
  const wake = () => {
    isWoken = true;
    stopSleeping();
  };
  return {
    wake,
    async close() {
      isClosing = true;
      wake();
      await finished;
      transport.close();
    },
  };
}

/** The worker without a mail server: emails stay in the outbox, and one warning is logged. */
export async function startIdleOutboxWorker(
  store: Store,
  log: Log,
  settingName: string,
): Promise<OutboxWorker> {
  const pendingCount = (await store.countEmails()).pending;
  log.warn(
    `no mail server is set (${settingName}): requests are stored, and emails stay in the outbox until one is set${pendingCount > 0 ? ` (${pendingCount} so far)` : ""}`,
  );
  return { wake: () => {}, close: async () => {} };
}

interface DeliveryDependencies {
  store: Store;
  transport: Transport;
  mail: MailSettings;
  now: () => Date;
  log: Log;
}

/** Sends one email, and stores whether that succeeded. */
async function deliver(
  email: OutboxEmail,
  { store, transport, mail, now, log }: DeliveryDependencies,
): Promise<void> {
  const name = email.reference ?? email.kind;
  try {
    await transport.send({
      from: mail.from,
      to: email.recipient ? [email.recipient] : mail.to,
      replyTo: email.replyTo,
      subject: email.subject,
      text: email.link ? email.body.replace(linkPlaceholder, () => email.link!) : email.body,
      messageId: email.messageId,
      date: new Date(email.createdAt),
    });
  } catch (error) {
    const reason = (error as Error).message;
    // Count from the first attempt: before it, the email may have waited for days because no mail
    // server was set.
    const tryingForMs = now().getTime() - Date.parse(email.firstAttemptAt ?? now().toISOString());
    if (tryingForMs > maxRetryMs && email.attempts + 1 >= minAttempts) {
      await store.markFailed(email, reason, undefined, now());
      log.error(
        `email ${name} failed after ${email.attempts + 1} attempts in ${Math.round(tryingForMs / 3_600_000)} hours and will not be retried (its request is still stored; see ${program.command} outbox list)`,
        publicCause(error),
      );
      return;
    }
    const retryMs = Math.min(firstRetryMs * 2 ** email.attempts, maxRetryIntervalMs);
    await store.markFailed(email, reason, new Date(now().getTime() + retryMs), now());
    log.warn(
      `email ${name} could not be sent; next attempt in ${retryMs / seconds} seconds`,
      publicCause(error),
    );
    return;
  }
  await store.markSent(email, now());
}

/** Error codes for the log. The full reply may quote addresses, so only the outbox stores it. */
function publicCause(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "unknown error", responseCode].filter(Boolean).join(" ");
}
