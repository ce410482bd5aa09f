import { draftLifetimeMs } from "#db/operations/upload-drafts.ts";

/** What one address has held, in memory and for as long as its tokens live. */
export interface DraftQuota {
  /** Notes the bytes and returns true, or returns false where they would be too many. */
  take(clientAddress: string, bytes: number): boolean;
}

/** All that waits is limited in all: nobody may fill it alone and keep everybody's files out for an hour. */
export function newDraftQuota(maxBytes: number, now: () => Date): DraftQuota {
  let held: { clientAddress: string; bytes: number; until: number }[] = [];
  return {
    take(clientAddress, bytes) {
      const time = now().getTime();
      held = held.filter(({ until }) => until > time);
      const sum = held.reduce(
        (all, one) => (one.clientAddress === clientAddress ? all + one.bytes : all),
        bytes,
      );
      if (sum > maxBytes) return false;
      held.push({ clientAddress, bytes, until: time + draftLifetimeMs });
      return true;
    },
  };
}
