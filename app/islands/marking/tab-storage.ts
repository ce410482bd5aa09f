import { sampleToken } from "../../domain/result.ts";

/** What the tab keeps of one desk: closing the tab deletes it. */
export interface TabStorage {
  /** The value that was written under a name; undefined if none was. */
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

/** Opens the storage of a link. Its keys have a hash of the link's token, so that the token is not stored. */
export async function openTabStorage(token: string): Promise<TabStorage> {
  // Nothing is stored of the sample, nor without TLS, where the browser has no crypto.subtle.
  const hash =
    token === sampleToken
      ? undefined
      : await window.crypto.subtle?.digest("SHA-256", new TextEncoder().encode(token));
  if (!hash) return { read: () => undefined, write: () => {} };
  const digits = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
  const hex = digits.join("");
  const keyOf = (name: string) => `${name} ${hex}`;
  return {
    read(name) {
      try {
        return JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null") ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(name, value) {
      try {
        sessionStorage.setItem(keyOf(name), JSON.stringify(value));
      } catch {
        // The storage is full or switched off, so the value is in memory alone.
      }
    },
  };
}
