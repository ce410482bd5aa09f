import type { Store } from "#db/store.ts";
import { hourMs } from "../../domain/duration.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import { variableOf } from "../config/settings-table.ts";
import type { Log } from "../log.ts";
import { maxRequestEmailsPerHour, summaryEmail } from "./compose.ts";
import { deliver, type OutboxDependencies } from "./delivery.ts";
import { startOutboxLoop } from "./outbox-loop.ts";
import type { Transport } from "./transport.ts";

export interface OutboxWorker {
  /** To be called when an email has been added to the outbox. */
  wake(): void;
  /** How many leases of emails were lost while the emails were sent. */
  lostLeases(): number;
  /** Waits for the email that is being sent, then stops. */
  close(): Promise<void>;
}

/**
 * Sends the emails of the outbox one at a time, oldest due first, until it is closed. A crash
 * between sending an email and marking it as sent sends it twice (same Message-ID), but never loses
 * it.
 */
export function startOutboxWorker(options: Omit<OutboxDependencies, "onLostLease">): OutboxWorker {
  const { mail } = options;
  let lostLeases = 0;
  const dependencies = {
    ...options,
    onLostLease() {
      lostLeases += 1;
    },
  };
  /** The transport, which is opened for the first email. */
  let transport: Transport | undefined;
  const limit = newHourlyLimit(maxRequestEmailsPerHour);

  const loop = startOutboxLoop("email", options, async (email) => {
    transport ??= (await import("./transport.ts")).openTransport(mail.url);
    const isCounted = email.kind === "request" && email.acceptedBy === null;
    if (isCounted && limit.isReached()) await sumUp(email, dependencies);
    else if ((await deliver(email, transport, dependencies)) && isCounted) limit.count();
  });
  return {
    wake: loop.wake,
    lostLeases: () => lostLeases,
    async close() {
      await loop.close();
      transport?.close();
    },
  };
}

/** The worker without a mail server: emails stay in the outbox, and one warning is logged. */
export async function startIdleOutboxWorker(store: Store, log: Log): Promise<OutboxWorker> {
  const pendingCount = (await store.countEmails()).pending;
  const soFar = pendingCount > 0 ? ` (${pendingCount} so far)` : "";
  log.warn(
    `no mail server is set (${variableOf("MAIL_URL")}): requests are stored, and emails stay in the outbox until one is set${soFar}`,
  );
  return { wake: () => {}, lostLeases: () => 0, close: async () => {} };
}

/** Counts emails of the past hour, in memory: after a restart another `max` emails may be sent at once. */
function newHourlyLimit(max: number) {
  // The times are those of performance.now(), because the system's clock may be set back.
  const times: number[] = [];
  return {
    count() {
      times.push(performance.now());
      if (times.length > max) times.shift();
    },
    isReached: () => times.length === max && performance.now() - times[0]! < hourMs,
  };
}

/** Puts the requests whose emails are due into a summary, which is due within an hour. */
async function sumUp(
  taken: OutboxEmail,
  { store, mail, productName, now }: OutboxDependencies,
): Promise<void> {
  const summary = summaryEmail({ team: mail.to[0], productName });
  const dueAt = new Date(now().getTime() + hourMs);
  await store.sumUpDueEmails({ summary, dueAt, taken }, now());
}
