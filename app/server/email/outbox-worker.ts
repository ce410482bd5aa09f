import type { OutboxEmail } from "#db/operations/outbox.ts";
import type { Store } from "#db/store.ts";
import type { Log } from "../log.ts";
import { linkPlaceholder } from "./compose.ts";
import { openTransport, type Transport } from "./transport.ts";

const seconds = 1000;
const firstRetryMs = 5 * seconds;
const maxRetryIntervalMs = 60 * 60 * seconds;
/** A letter may fall due without anybody calling: a command has released it. */
const maxSleepMs = 60 * seconds;
const maxRetryMs = 48 * 60 * 60 * seconds;

export interface MailSettings {
  url: string;
  from: string;
  to: string[];
  /** How long the server may be silent. */
  timeoutMs: number;
}

export interface OutboxWorker {
  /** Called when a letter has been put in the outbox. */
  wake(): void;
  /** Lets the letter that is being sent finish. */
  close(): Promise<void>;
}

/**
 * Sends the letters of the outbox one after another, oldest due first, for as long as the program runs.
 * A letter is marked as sent after the server took it, so a crash in between sends it twice, under the
 * same Message-ID, and never not at all.
 */
export function startOutboxWorker(
  store: Store,
  mail: MailSettings,
  now: () => Date,
  log: Log,
): OutboxWorker {
  const transport = openTransport(mail.url, mail.timeoutMs);
  let closing = false;
  let woken = false;
  let stopSleeping = () => {};

  async function work(): Promise<void> {
    while (!closing) {
      woken = false;
      const pause = await sendDueLetters();
      if (woken || closing) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(Math.max(pause, 0), maxSleepMs));
        stopSleeping = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Returns how long to sleep, in milliseconds. */
  async function sendDueLetters(): Promise<number> {
    try {
      while (!closing) {
        const email = await store.nextDueEmail(now());
        if (!email) break;
        await deliver(store, transport, mail, email, now, log);
      }
      const due = await store.nextDueTime();
      return due ? due.getTime() - now().getTime() : maxSleepMs;
    } catch (error) {
      log.error("the outbox could not be read or written; trying again in a minute", error);
      return 60 * seconds;
    }
  }

  const working = work();
  const wake = () => {
    woken = true;
    stopSleeping();
  };
  return {
    wake,
    async close() {
      closing = true;
      wake();
      await working;
      transport.close();
    },
  };
}

/** Stands in where no mail server is set: letters wait in the outbox, and the operator is told once. */
export async function startIdleOutboxWorker(
  store: Store,
  log: Log,
  settingName: string,
): Promise<OutboxWorker> {
  const waiting = await store.countPendingEmails();
  log.warn(
    `no mail server is set (${settingName}): requests are kept, letters wait${waiting > 0 ? `; ${waiting} so far` : ""}`,
  );
  return { wake: () => {}, close: async () => {} };
}

async function deliver(
  store: Store,
  transport: Transport,
  mail: MailSettings,
  email: OutboxEmail,
  now: () => Date,
  log: Log,
): Promise<void> {
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
    // Counted from the first attempt: a letter may have waited long for a mail server to be set at all.
    const tryingFor = now().getTime() - Date.parse(email.firstAttemptAt ?? now().toISOString());
    if (tryingFor > maxRetryMs) {
      await store.markFailed(email, reason, undefined, now());
      log.error(
        `letter ${email.reference} is given up after ${email.attempts + 1} attempts in ${Math.round(tryingFor / 3_600_000)} hours; the request itself is kept`,
        publicCause(error),
      );
      return;
    }
    const wait = Math.min(firstRetryMs * 2 ** email.attempts, maxRetryIntervalMs);
    await store.markFailed(email, reason, new Date(now().getTime() + wait), now());
    log.warn(
      `letter ${email.reference} could not be sent; next attempt in ${wait / seconds} seconds`,
      publicCause(error),
    );
    return;
  }
  await store.markSent(email, now());
}

/** A mail server's answer may quote addresses: it is kept in the outbox, and the log gets its codes alone. */
function publicCause(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "unknown error", responseCode].filter(Boolean).join(" ");
}
