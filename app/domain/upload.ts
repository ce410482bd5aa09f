/** What the server is doing with an upload. */
export type UploadStep = "checking" | "storing";

/** Files kept for a form that came back with errors. The token is the only way to reach them. */
export interface UploadDraft {
  token: string;
  files: { id: number; field: string; name: string; size: number }[];
}

/** A file that has been received and stored, but is not yet part of a request. */
export interface StagedFile {
  id: number;
  field: string;
  name: string;
  /** In bytes. */
  size: number;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
}

/** A file to be staged. */
export interface NewFile {
  field: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** An upload draft as the store returns it for a token. */
export interface StoredDraft {
  id: number;
  files: StagedFile[];
}

/** A change to an upload draft. */
export interface DraftChange {
  /** The form that the token is good for. */
  form: string;
  /** The draft to extend; a new one is created if undefined or expired. */
  draftId: number | undefined;
  /** Ids of staged files to put under the token. */
  keep: number[];
  /** Ids of its files to delete. */
  remove: number[];
}

/** How long an upload draft lasts, in milliseconds: an hour. */
export const draftLifetimeMs = 60 * 60 * 1000;
