/** An attempt to deliver an entry of the outbox: its lease, its outcome and the next attempt. */
import type { Store } from "#db/store.ts";
import { hourMs } from "../../domain/duration.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import { operatorCommand } from "../config/sources.ts";
import type { Log } from "../log.ts";

const seconds = 1000;
const firstRetryMs = 5 * seconds;
const maxRetryIntervalMs = hourMs;
const maxRetryMs = 48 * hourMs;
/**
 * Min attempts before an entry fails: nearly as many as fit into 48 hours. Fewer attempts in that time mean that the
 * clock was wrong or the program did not run.
 */
const minAttempts = 50;
/** How often a lease of five minutes is renewed, so that the lease outlasts failed renewals. */
const renewalMs = 60 * seconds;

export interface AttemptDependencies {
  store: Store;
  now: () => Date;
  log: Log;
  onLostLease(): void;
}

/** Renews the lease of an entry until `work` is done. */
export async function whileLeased<Result>(
  entry: OutboxEmail,
  { store, log }: Pick<AttemptDependencies, "store" | "log">,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    store.renewLease(entry).catch((error) => log.error("renewing a lease failed", error));
  const timer = setInterval(renew, renewalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Records that an entry was sent. If the lease was lost, only logs the loss. */
export async function markSent(
  entry: OutboxEmail,
  dependencies: AttemptDependencies,
): Promise<void> {
  const { store, now } = dependencies;
  if (!(await store.markSent(entry, now()))) reportLostLease(entry, dependencies);
}

/** An entry as the log names it. */
const nameOf = ({ reference, kind }: OutboxEmail): string =>
  `${kind === "webhook" ? "webhook" : "email"} ${reference ?? kind}`;

/** Logs that an entry was deleted, or its lease ended: another server may have sent the entry too. */
function reportLostLease(entry: OutboxEmail, { log, onLostLease }: AttemptDependencies): void {
  onLostLease();
  log.warn(`${nameOf(entry)} was attempted, but is no longer leased by this server`);
}

interface Failure {
  error: unknown;
  reason: string;
  /** All recipients that have the entry, also from earlier attempts. */
  acceptedBy: string[];
  /**
   * The email's own recipient, or the team's addresses as they are set now; empty for a webhook. `acceptedBy` may have
   * addresses of the team that are no longer set.
   */
  recipients: readonly string[];
}

/** Plans the next attempt, for the recipients without the entry; after the last attempt, the entry fails. */
export async function recordFailure(
  entry: OutboxEmail,
  { error, reason, acceptedBy, recipients }: Failure,
  dependencies: AttemptDependencies,
): Promise<void> {
  const { store, now, log } = dependencies;
  const attempts = entry.attempts + 1;
  // Count from the first attempt: before it, an email may have waited for days because no mail
  // server was set.
  const tryingForMs = now().getTime() - Date.parse(entry.firstAttemptAt ?? now().toISOString());
  const isLast = tryingForMs > maxRetryMs && attempts >= minAttempts;
  const retryMs = Math.min(firstRetryMs * 2 ** entry.attempts, maxRetryIntervalMs);
  const nextAttempt = isLast ? undefined : new Date(now().getTime() + retryMs);
  if (!(await store.markFailed(entry, { reason, acceptedBy, nextAttempt }, now()))) {
    reportLostLease(entry, dependencies);
    return;
  }
  const { length: count } = recipients;
  const { length: missing } = recipients.filter((address) => !acceptedBy.includes(address));
  const rest = missing < count ? ` for ${missing} of ${count} recipients` : "";
  if (isLast) {
    log.error(
      `${nameOf(entry)} failed${rest} after ${attempts} attempts in ${Math.round(tryingForMs / hourMs)} hours and will not be retried (its request is still stored; see ${operatorCommand} outbox list)`,
      publicCause(error),
    );
  } else {
    log.warn(
      `${nameOf(entry)} could not be sent${rest}; next attempt in ${retryMs / seconds} seconds`,
      publicCause(error),
    );
  }
}

/** Error codes for the log. The full reply may quote addresses, so only the outbox stores it. */
function publicCause(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "unknown error", responseCode].filter(Boolean).join(" ");
}
