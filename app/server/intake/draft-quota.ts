import { tokenLife } from "#db/operations/upload-drafts.ts";

/** What one address has held, in memory and for as long as its tokens live. */
export interface HeldShare {
  /** Notes the bytes and returns true, or returns false where they would be too many. */
  take(sender: string, bytes: number): boolean;
}

/** All that waits is limited in all: nobody may fill it alone and keep everybody's files out for an hour. */
export function newHeldShare(mostBytes: number, now: () => Date): HeldShare {
  let held: { sender: string; bytes: number; until: number }[] = [];
  return {
    take(sender, bytes) {
      const time = now().getTime();
      held = held.filter(({ until }) => until > time);
      const sum = held.reduce((all, one) => (one.sender === sender ? all + one.bytes : all), bytes);
      if (sum > mostBytes) return false;
      held.push({ sender, bytes, until: time + tokenLife });
      return true;
    },
  };
}
