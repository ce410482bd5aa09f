import type { Store } from "#db/store.ts";
import type { OutboxEmail } from "../../domain/email.ts";
import { bytesOf } from "../../forms/files.ts";
import { scriptsReadySentence } from "../../results/scripts-ready.ts";
import { safeName } from "../requests/request-files.ts";
import { type AttemptDependencies, markSent, recordFailure, whileLeased } from "./attempt.ts";
import { linkPlaceholder, withFiles, withRequests } from "./compose.ts";
import { isDeliverable } from "./deliverable.ts";
import type { Delivery, OutgoingEmail, Transport } from "./transport.ts";
import { automaticHeaders, unsubscribeHeaders } from "./visitor-emails.ts";

export interface MailSettings {
  url: string;
  from: string;
  to: [string, ...string[]];
  /** Bytes that the files attached to one email may have together; 0 attaches none. */
  maxAttachedBytes: number;
}

export interface OutboxDependencies extends AttemptDependencies {
  mail: MailSettings;
  productName: string;
  publicUrl: string | undefined;
}

/**
 * Sends an email to the recipients that do not have it yet, and stores whether that succeeded.
 * @returns whether a recipient has got it now
 */
export async function deliver(
  email: OutboxEmail,
  transport: Transport,
  dependencies: OutboxDependencies,
): Promise<boolean> {
  const { mail } = dependencies;
  const earlier = email.acceptedBy ?? [];
  const recipients = email.recipient ? [email.recipient] : mail.to;
  const to = recipients.filter((address) => !earlier.includes(address));
  // All addresses in the settings have the email by now, because those without it were removed.
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
    await recordFailure(email, { error, reason, acceptedBy: earlier, recipients }, dependencies);
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
    await recordFailure(email, { ...failure, recipients }, dependencies);
  }
  return true;
}

async function toOutgoing(
  stored: OutboxEmail,
  to: string[],
  { store, mail, publicUrl }: OutboxDependencies,
): Promise<OutgoingEmail> {
  const email = withPublicUrl(stored, publicUrl);
  const { subject, messageId, createdAt } = email;
  const attachments = await attachmentsOf(email, store, mail.maxAttachedBytes);
  const text = await bodyOf(email, attachments.length > 0, store);
  // A mail server may reject the whole email for an invalid Reply-To.
  const replyTo = isDeliverable(email.replyTo) ? email.replyTo : undefined;
  const date = new Date(createdAt);
  const headers = headersOf(email);
  return { from: mail.from, to, replyTo, subject, text, messageId, date, headers, attachments };
}

/** The email with its link at the public URL, which may have been set or changed since the email was stored. */
const withPublicUrl = (email: OutboxEmail, publicUrl: string | undefined): OutboxEmail =>
  email.link && publicUrl
    ? { ...email, link: email.link.replace(/^https?:\/\/[^/]+/, publicUrl) }
    : email;

/** The body with what is put into it when it is sent: the link, a note on attached files, the requests of a summary. */
async function bodyOf(email: OutboxEmail, isAttached: boolean, store: Store): Promise<string> {
  const { id, kind, body, link, reference } = email;
  if (kind === "request") return withFiles(body, reference!, { isAttached, link });
  if (kind === "summary") return withRequests(body, await store.listSummedUp(id));
  if (!link) return body;
  const paragraphs = [link, ...(await missingScripts(email, store))];
  return body.replace(linkPlaceholder, () => paragraphs.join("\n\n"));
}

/** Says in an email about published marks how many scripts can be shown, while others are still rendered. */
async function missingScripts(
  { kind, reference }: OutboxEmail,
  store: Pick<Store, "findMarkingTarget" | "findScriptsReady">,
): Promise<string[]> {
  const target = kind === "results" && (await store.findMarkingTarget(reference!));
  const scripts = target && (await store.findScriptsReady(target.assessmentId));
  return scripts ? [scriptsReadySentence(scripts)] : [];
}

type Attachments = NonNullable<OutgoingEmail["attachments"]>;

/** The files of the request that an email reports; none if together they have more than `maxBytes`, or if that is 0. */
async function attachmentsOf(
  { kind, reference }: OutboxEmail,
  store: Pick<Store, "listFiles" | "readFile" | "findRequest">,
  maxBytes: number,
): Promise<Attachments> {
  if (kind !== "request" || reference === null || maxBytes === 0) return [];
  // The time is for the request's links, which are not used here.
  const { files = [] } = (await store.findRequest(reference, new Date(0))) ?? {};
  if (bytesOf(files) > maxBytes) return [];
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
