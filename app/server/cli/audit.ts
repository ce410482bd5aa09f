import { isWriteDenied, type Store } from "#db/store.ts";
import type { AuditAction } from "../../domain/data-subject.ts";

/** Records an export in the audit table. An account that may only read the database exports without a record. */
export async function recordExport(
  store: Pick<Store, "openAudit">,
  action: AuditAction,
  reference?: string,
): Promise<void> {
  try {
    await store.openAudit(action, new Date(), reference);
  } catch (error) {
    if (!isWriteDenied(error)) throw error;
  }
}
