import { and, eq, inArray, or } from "drizzle-orm";
import type { Tx } from "../operation.ts";
import { contactRequests, outbox, rubricRequests, type uploadedFiles } from "../schema.ts";

/** The row of a request that a file or an email belongs to. */
export type RequestOwner = { contactRequestId: number } | { rubricRequestId: number };

/** The row of the request with this reference; undefined if there is none. */
export async function ownerOf(tx: Tx, reference: string): Promise<RequestOwner | undefined> {
  const [contact] = await idsOf(tx, contactRequests, reference);
  if (contact) return { contactRequestId: contact.id };
  const [rubric] = await idsOf(tx, rubricRequests, reference);
  return rubric && { rubricRequestId: rubric.id };
}

/** Selects the files, or the emails, of a request. */
export const belongsTo = (tx: Tx, owned: typeof uploadedFiles | typeof outbox, reference: string) =>
  or(
    inArray(owned.contactRequestId, idsOf(tx, contactRequests, reference)),
    inArray(owned.rubricRequestId, idsOf(tx, rubricRequests, reference)),
  );

/** Selects the team's email about a request. */
export const isRequestEmail = (tx: Tx, reference: string) =>
  and(belongsTo(tx, outbox, reference), eq(outbox.kind, "request"));

const idsOf = (tx: Tx, table: typeof contactRequests | typeof rubricRequests, reference: string) =>
  tx.select({ id: table.id }).from(table).where(eq(table.reference, reference));
