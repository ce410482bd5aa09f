import { draftLifetimeMs } from "../../domain/upload.ts";

/** Limits the bytes that one client keeps in upload drafts. In memory only. */
export interface DraftQuota {
  /** The bytes that a client may still keep. */
  left(clientAddress: string): number;
  /** Counts what a draft holds now, for the client that began it. */
  keep(token: string, clientAddress: string, bytes: number): void;
  /** Ends the count of a draft that has become a request. */
  release(token: string): void;
}

/** Keeps one client from filling the staging limit that all clients share. */
export function newDraftQuota(maxBytes: number, now: () => Date): DraftQuota {
  const drafts = new Map<string, { clientAddress: string; bytes: number; until: number }>();
  return {
    left(clientAddress) {
      const time = now().getTime();
      let left = maxBytes;
      for (const [token, draft] of drafts) {
        if (draft.until <= time) drafts.delete(token);
        else if (draft.clientAddress === clientAddress) left -= draft.bytes;
      }
      return left;
    },
    keep(token, clientAddress, bytes) {
      const owner = drafts.get(token)?.clientAddress ?? clientAddress;
      const until = now().getTime() + draftLifetimeMs;
      drafts.set(token, { clientAddress: owner, bytes, until });
    },
    release(token) {
      drafts.delete(token);
    },
  };
}
