import type { Store } from "#db/store.ts";
import { program } from "../../brand.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import type { Log } from "../log.ts";
import { safeName } from "../request-files.ts";
import { linkPlaceholder, withAttachments, withoutReply, withRequests } from "./compose.ts";
import { isDeliverable } from "./deliverable.ts";
import type { Delivery, OutgoingEmail, Transport } from "./transport.ts";
import { automaticHeaders, unsubscribeHeaders } from "./visitor-emails.ts";

const seconds = 1000;
const firstRetryMs = 5 * seconds;
const maxRetryIntervalMs = 60 * 60 * seconds;
const maxRetryMs = 48 * 60 * 60 * seconds;
/**
 * An email fails only after as many attempts as fit into 48 hours, or nearly: fewer mean that the
 * clock was wrong or the program did not run.
 */
const minAttempts = 50;
/** Several times within a lease of five minutes. */
const renewalMs = 60 * seconds;

export interface MailSettings {
  url: string;
  from: string;
  to: string[];
  /** How long to wait for each reply of the mail server. */
  timeoutMs: number;
  /** Of the files that may be attached to one email; 0 attaches none. */
  maxAttachedBytes: number;
}

export interface OutboxDependencies {
  store: Store;
  mail: MailSettings;
  productName: string;
  now: () => Date;
  log: Log;
  onLostLease(): void;
}

/**
 * Sends an email to the recipients that do not have it yet, and stores whether that succeeded.
 * @returns whether one of them has got it
 */
export async function deliver(
  email: OutboxEmail,
  transport: Transport,
  dependencies: OutboxDependencies,
): Promise<boolean> {
  const { mail } = dependencies;
  const earlier = email.acceptedBy ?? [];
  const recipients = email.recipient ? [email.recipient] : mail.to;
  const recipientCount = recipients.length;
  const to = recipients.filter((address) => !earlier.includes(address));
  // Those that rejected it are no longer in the settings.
  if (to.length === 0) {
    await markSent(email, dependencies);
    return false;
  }
  const outgoing = await toOutgoing(email, to, dependencies);
  let delivery: Delivery;
  try {
    delivery = await whileLeased(email, dependencies, () => transport.send(outgoing));
  } catch (error) {
    const reason = (error as Error).message;
    const failure = { error, reason, acceptedBy: earlier, recipientCount };
    await recordFailure(email, failure, dependencies);
    return false;
  }
  const { acceptedBy, rejections } = delivery;
  if (rejections.length === 0) {
    await markSent(email, dependencies);
  } else {
    const reason = rejections
      .map(({ recipient, message }) => `${recipient}: ${message}`)
      .join("; ");
    const failure = { error: rejections[0], reason, acceptedBy: [...earlier, ...acceptedBy] };
    await recordFailure(email, { ...failure, recipientCount }, dependencies);
  }
  return true;
}

/** Renews the email's lease until `work` is done. */
async function whileLeased<Result>(
  email: OutboxEmail,
  { store, log }: OutboxDependencies,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    store.renewLease(email).catch((error) => log.error("renewing a lease failed", error));
  const timer = setInterval(renew, renewalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function markSent(email: OutboxEmail, dependencies: OutboxDependencies): Promise<void> {
  const { store, now } = dependencies;
  if (!(await store.markSent(email, now()))) reportLostLease(email, dependencies);
}

const nameOf = ({ reference, kind }: OutboxEmail): string => reference ?? kind;

/** The email was deleted, or the lease ended: another server may have sent the email too. */
function reportLostLease(email: OutboxEmail, { log, onLostLease }: OutboxDependencies): void {
  onLostLease();
  log.warn(`email ${nameOf(email)} was attempted, but is no longer leased by this server`);
}

async function toOutgoing(
  email: OutboxEmail,
  to: string[],
  { store, mail }: OutboxDependencies,
): Promise<OutgoingEmail> {
  const { subject, link, messageId, createdAt } = email;
  const attachments = await attachmentsOf(email, store, mail.maxAttachedBytes);
  let text = email.body;
  if (attachments.length > 0) text = withAttachments(text, email.reference!);
  if (link) text = text.replace(linkPlaceholder, () => link);
  if (email.kind === "summary") text = withRequests(text, await store.listSummedUp(email.id));
  // A mail server may reject the whole email for an invalid Reply-To.
  const canReply = isDeliverable(email.replyTo);
  if (!canReply) text = withoutReply(text);
  const replyTo = canReply ? email.replyTo : undefined;
  const date = new Date(createdAt);
  const headers = headersOf(email);
  return { from: mail.from, to, replyTo, subject, text, messageId, date, headers, attachments };
}

type Attachments = NonNullable<OutgoingEmail["attachments"]>;

/** All files of the request that an email reports, or none if they are too large together. */
async function attachmentsOf(
  { kind, reference }: OutboxEmail,
  store: Pick<Store, "listFiles" | "readFile" | "findRequest">,
  maxBytes: number,
): Promise<Attachments> {
  if (kind !== "request" || reference === null || maxBytes === 0) return [];
  const { files = [] } = (await store.findRequest(reference, new Date(0))) ?? {};
  if (files.reduce((sum, { size }) => sum + size, 0) > maxBytes) return [];
  const attachments: Attachments = [];
  for (const { id, name } of await store.listFiles(reference)) {
    const content = await store.readFile(id);
    if (content) attachments.push({ filename: safeName(name), content });
  }
  return attachments;
}

function headersOf({ kind, link }: OutboxEmail): Record<string, string> {
  if (kind === "announcement" && link) return unsubscribeHeaders(link);
  return kind === "acknowledgement" || kind === "confirmation" ? automaticHeaders : {};
}

interface Failure {
  error: unknown;
  reason: string;
  /** All recipients that have the email. */
  acceptedBy: string[];
  recipientCount: number;
}

/** Plans the next attempt, for the recipients that do not have the email, or ends them. */
async function recordFailure(
  email: OutboxEmail,
  { error, reason, acceptedBy, recipientCount }: Failure,
  dependencies: OutboxDependencies,
): Promise<void> {
  const { store, now, log } = dependencies;
  /** With this one. */
  const attempts = email.attempts + 1;
  // Count from the first attempt: before it, the email may have waited for days because no mail
  // server was set.
  const tryingForMs = now().getTime() - Date.parse(email.firstAttemptAt ?? now().toISOString());
  const isLast = tryingForMs > maxRetryMs && attempts >= minAttempts;
  const retryMs = Math.min(firstRetryMs * 2 ** email.attempts, maxRetryIntervalMs);
  const nextAttempt = isLast ? undefined : new Date(now().getTime() + retryMs);
  if (!(await store.markFailed(email, { reason, acceptedBy, nextAttempt }, now()))) {
    reportLostLease(email, dependencies);
    return;
  }
  const missing = recipientCount - acceptedBy.length;
  const rest = acceptedBy.length > 0 ? ` for ${missing} of ${recipientCount} recipients` : "";
  if (isLast) {
    log.error(
      `email ${nameOf(email)} failed${rest} after ${attempts} attempts in ${Math.round(tryingForMs / 3_600_000)} hours and will not be retried (its request is still stored; see ${program.command} outbox list)`,
      publicCause(error),
    );
  } else {
    log.warn(
      `email ${nameOf(email)} could not be sent${rest}; next attempt in ${retryMs / seconds} seconds`,
      publicCause(error),
    );
  }
}

/** Error codes for the log. The full reply may quote addresses, so only the outbox stores it. */
function publicCause(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "unknown error", responseCode].filter(Boolean).join(" ");
}
