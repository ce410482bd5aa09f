import type { NewRequest, StoredRequest } from "../../app/domain/new-request.ts";
import type { ContactTexts } from "../../app/forms/contact.ts";
import type { Tx } from "../operation.ts";
import { placeholders, prepared } from "../prepared.ts";
import { contactRequests } from "../schema.ts";
import { addRequestNotices } from "./add-to-outbox.ts";
import { insertOnce } from "./duplicates.ts";

/**
 * Stores the request with its email. If an equal post has been stored since `duplicatesSince`, returns that
 * request and stores nothing.
 */
export async function submitContactRequest(
  tx: Tx,
  form: "contact" | "demo-request",
  requestType: string,
  request: NewRequest<ContactTexts>,
  now: Date,
): Promise<StoredRequest> {
  const { typed, email, holdEmail, sendsWebhook, duplicatesSince, ...columns } = request;
  const createdAt = now.toISOString();
  const equal = { fingerprint: columns.fingerprint, since: duplicatesSince };
  // Named, because the statement has a placeholder for it even if nothing was typed.
  const values = { ...typed, institution: typed.institution, ...columns, form, requestType };
  const { isNew, ...stored } = await insertOnce(tx, contactRequests, equal, () =>
    insertRequest(tx).execute({ ...values, createdAt }),
  );
  if (isNew) await addRequestNotices(tx, request, { reference: stored.reference, createdAt });
  return stored;
}

const insertRequest = prepared((tx) =>
  tx
    .insert(contactRequests)
    .values(
      placeholders(
        "name",
        "email",
        "phone",
        "institution",
        "message",
        "requestType",
        "form",
        "reference",
        "fingerprint",
        "spam",
        "isTest",
        "createdAt",
      ),
    )
    .onConflictDoNothing({ target: contactRequests.fingerprint })
    .returning({ id: contactRequests.id, reference: contactRequests.reference })
    .prepare(),
);
