/**
 * Marks that could not be sent, in memory and in the tab's session storage: closing the tab deletes them. The
 * storage is named by a hash of the link's token, so that the token is not stored.
 */
export interface UnsavedMark {
  /** The learner's id. */
  learner: string;
  /** What the form posts. */
  fields: Record<string, string>;
  /** Why the server has rejected it, if it was sent: it is not sent again. */
  problem?: string;
}

const marks = new Map<string, UnsavedMark>();
let storageKey: string | undefined;

const keyOf = ({ learner, fields }: UnsavedMark) => `${learner} ${fields.question ?? ""}`;

/** Reads the marks that an earlier page of the tab has left. */
export async function readUnsaved(
  token: string,
  { isEducators }: { isEducators: boolean },
): Promise<void> {
  // Without TLS a browser has no hash: then marks stay in memory.
  const hash = await window.crypto.subtle?.digest("SHA-256", new TextEncoder().encode(token));
  if (!hash) return;
  const digits = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
  storageKey = `desk-marks ${digits.join("")}`;
  // Of an earlier release; under an educator's link it was of pages that named learners by position.
  const earlier = isEducators ? [] : [`unsaved ${digits.join("")}`];
  for (const key of [...earlier, storageKey]) {
    try {
      const stored: UnsavedMark[] = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      for (const mark of stored) marks.set(keyOf(mark), mark);
    } catch {
      // What is there was not written here.
    }
  }
  if (marks.size > 0) store();
  for (const key of earlier) sessionStorage.removeItem(key);
}

export const unsavedMarks = (): UnsavedMark[] => [...marks.values()];

export function keepUnsaved(mark: UnsavedMark): void {
  marks.set(keyOf(mark), mark);
  store();
}

export function forgetUnsaved(mark: UnsavedMark): void {
  if (marks.delete(keyOf(mark))) store();
}

function store(): void {
  if (!storageKey) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(unsavedMarks()));
  } catch {
    // Full or switched off: the marks stay in memory.
  }
}
