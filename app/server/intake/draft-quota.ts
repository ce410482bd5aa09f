import { draftLifetimeMs } from "../../domain/upload.ts";

/** Limits the bytes that one client keeps in upload drafts. In memory only. */
export interface DraftQuota {
  /** The bytes that a client may still keep. */
  left(clientAddress: string): number;
  /** Counts bytes until their draft expires. */
  add(clientAddress: string, bytes: number): void;
}

/** Keeps one client from filling the staging limit that all clients share. */
export function newDraftQuota(maxBytes: number, now: () => Date): DraftQuota {
  let kept: { clientAddress: string; bytes: number; until: number }[] = [];
  return {
    left(clientAddress) {
      const time = now().getTime();
      kept = kept.filter(({ until }) => until > time);
      const ofClient = kept.filter((one) => one.clientAddress === clientAddress);
      return ofClient.reduce((left, { bytes }) => left - bytes, maxBytes);
    },
    add(clientAddress, bytes) {
      kept.push({ clientAddress, bytes, until: now().getTime() + draftLifetimeMs });
    },
  };
}
