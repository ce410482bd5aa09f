import { draftLifetimeMs } from "../../domain/upload.ts";

/** Limits the bytes that one client keeps in upload drafts. In memory only. */
export interface DraftQuota {
  /**
   * Counts the bytes until their draft expires; false, and not counted, if they exceed the quota.
   */
  reserve(clientAddress: string, bytes: number): boolean;
}

/** Keeps one client from filling the staging limit that all clients share. */
export function newDraftQuota(maxBytes: number, now: () => Date): DraftQuota {
  let reservations: { clientAddress: string; bytes: number; until: number }[] = [];
  return {
    reserve(clientAddress, bytes) {
      const time = now().getTime();
      reservations = reservations.filter(({ until }) => until > time);
      const sum = reservations.reduce(
        (all, one) => (one.clientAddress === clientAddress ? all + one.bytes : all),
        bytes,
      );
      if (sum > maxBytes) return false;
      reservations.push({ clientAddress, bytes, until: time + draftLifetimeMs });
      return true;
    },
  };
}
