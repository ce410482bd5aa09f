import { and, asc, eq } from "drizzle-orm";
import type { Receipt } from "../../app/domain/receipt.ts";
import type { FormName } from "../../app/domain/request.ts";
import { inbox, subscriptions, uploadedFiles } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { ownedBy } from "./uploaded-files.ts";

/** How long a receipt shows the names of the files, in milliseconds: a day. */
const namesShownFor = 24 * 60 * 60 * 1000;

/** What may be shown to whoever holds the reference: the files' names for 24 hours, then how many they were. */
export async function findReceipt(
  db: Db,
  forms: readonly FormName[],
  reference: string,
  now: Date,
): Promise<Receipt | null> {
  for (const form of forms) {
    const receipt =
      form === "subscription"
        ? subscriptionReceipt(db, reference)
        : requestReceipt(db, form, reference, now);
    if (receipt) return receipt;
  }
  return null;
}

function subscriptionReceipt(db: Db, reference: string): Receipt | undefined {
  const found = db
    .select({ receivedAt: subscriptions.createdAt })
    .from(subscriptions)
    .where(eq(subscriptions.reference, reference))
    .get();
  return found && { form: "subscription", reference, ...found, fileCount: 0, files: [] };
}

function requestReceipt(db: Db, form: FormName, reference: string, now: Date): Receipt | undefined {
  const request = db
    .select({ receivedAt: inbox.receivedAt })
    .from(inbox)
    .where(and(eq(inbox.reference, reference), eq(inbox.form, form)))
    .get();
  if (!request) return undefined;
  const files = db
    .select({ field: uploadedFiles.field, name: uploadedFiles.name, size: uploadedFiles.size })
    .from(uploadedFiles)
    .where(ownedBy(db, reference))
    .orderBy(asc(uploadedFiles.id))
    .all();
  const fresh = now.getTime() - Date.parse(request.receivedAt) < namesShownFor;
  return {
    form,
    reference,
    receivedAt: request.receivedAt,
    fileCount: files.length,
    files: fresh ? files : [],
  };
}
