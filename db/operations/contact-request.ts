import type { ContactTexts } from "../../app/forms/contact.ts";
import { contactRequests } from "../schema.ts";
import { atomically } from "../sqlite/atomically.ts";
import type { Db } from "../sqlite/open.ts";
import { placeholders, prepared } from "../sqlite/prepared.ts";
import { findDuplicateIn, type Submitted } from "./duplicates.ts";
import type { Submission } from "./new-request.ts";
import { addToOutbox } from "./outbox.ts";

/** Stores a contact or demo request with its letter, or returns the one that the same post has made a moment before. */
export async function submitContactRequest(
  db: Db,
  form: "contact" | "demo-request",
  requestType: string,
  submission: Submission<ContactTexts>,
  now: Date,
): Promise<Submitted> {
  const { typed, email, holdEmail, duplicatesSince, ...request } = submission;
  const createdAt = now.toISOString();
  return atomically(db, () => {
    const duplicate = findDuplicateIn(db, request.fingerprint, duplicatesSince);
    if (duplicate) return duplicate;
    const stored = insertRequest(db).get({
      ...typed,
      institution: typed.institution,
      ...request,
      form,
      requestType,
      createdAt,
    })!;
    addToOutbox(db, email, stored.reference, createdAt, holdEmail);
    return stored;
  });
}

const insertRequest = prepared((db) =>
  db
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
    .returning({ id: contactRequests.id, reference: contactRequests.reference })
    .prepare(),
);
