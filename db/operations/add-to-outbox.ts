import { randomUUIDv7 } from "node:crypto";
import type { Email, EmailKind } from "../../app/domain/email.ts";
import type { NewRequest } from "../../app/domain/new-request.ts";
import type { Tx } from "../operation.ts";
import { columnsIn, placeholders, prepared } from "../prepared.ts";
import { outbox } from "../schema.ts";
import { ownerOf, type RequestOwner } from "./request-owner.ts";

interface OutboxEntry {
  kind: EmailKind;
  /** Reference of the request that the email is about; null if there is none. */
  reference: string | null;
  /** The row of that request; by default found by the reference. */
  owner?: RequestOwner | undefined;
  reportDay?: string;
  createdAt: string;
  /** When the email is due; by default at once. */
  nextAttemptAt?: string;
  isOnHold: boolean;
  /** The private link of the email, stored only until the email is sent or has failed. */
  link?: string;
  resultLinkId?: number;
  markingLinkId?: number;
}

/** Adds the team's email about a request, or about its signed marks; with `sendsWebhook` a webhook too. */
export async function addNotices(
  tx: Tx,
  { email, isOnHold, sendsWebhook }: Pick<NewRequest, "email" | "isOnHold" | "sendsWebhook">,
  about: {
    reference: string;
    owner?: RequestOwner;
    createdAt: string;
    kind?: "request" | "signed";
    /** The private link to the team's page. */
    link?: string;
  },
): Promise<void> {
  const { kind = "request", link, ...rest } = about;
  const entry = { ...rest, isOnHold };
  await addToOutbox(tx, email, { ...entry, kind, ...(link && { link }) });
  if (!sendsWebhook) return;
  const body = kind === "signed" ? "results.signed" : "";
  const webhook = { subject: "Webhook", body, replyTo: "" };
  await addToOutbox(tx, webhook, { ...entry, kind: "webhook" });
}

/** Adds an email to the outbox, in the transaction that causes it. Returns its id. */
export async function addToOutbox(tx: Tx, email: Email, entry: OutboxEntry): Promise<number> {
  const { isOnHold, owner, ...columns } = entry;
  const { reference } = entry;
  const row = {
    nextAttemptAt: entry.createdAt,
    ...email,
    ...columns,
    ...(owner ?? (reference && (await ownerOf(tx, reference)))),
    status: isOnHold ? "on hold" : "pending",
    // UUIDs of version 7 sort by time, so the unique index grows at its end.
    messageId: randomUUIDv7(),
  };
  const [added] = await insertEntry(tx, columnsIn(outbox, row)).execute(row);
  return added!.id;
}

const insertEntry = prepared((tx, columns) =>
  tx.insert(outbox).values(placeholders(outbox, columns)).returning({ id: outbox.id }).prepare(),
);

/** The email that tells the team what was done on its page of a request; undefined for a command. */
export type TeamNotice = { email: Email; reference: string } | undefined;

/** Adds a notice to the outbox. Does nothing for a command, which has none. */
export async function addTeamNotice(tx: Tx, notice: TeamNotice, now: Date): Promise<void> {
  if (!notice) return;
  const { email, reference } = notice;
  const createdAt = now.toISOString();
  await addToOutbox(tx, email, { kind: "team action", reference, createdAt, isOnHold: false });
}
