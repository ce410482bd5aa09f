/** What the server does with an upload once it has been received. */
export type UploadStep = "checking" | "storing";

/**
 * The valid files of a form with errors, stored for its next post. Accessible only by the token.
 */
export interface UploadDraft {
  token: string;
  files: Omit<StagedFile, "sha256">[];
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

/** The room for staged files. */
export interface StagingLimit {
  /** For all staged files together. */
  maxBytes: number;
  /** Ids of the drafts that posts in progress have opened. They are never deleted for room. */
  draftsInUse: number[];
}

/** An upload draft in the store. */
export interface StoredDraft {
  id: number;
  files: StagedFile[];
}

/** A change to an upload draft. */
export interface DraftChange {
  /** The form that the token is valid for. */
  form: string;
  /** The draft to extend; a new one is created if undefined or expired. */
  draftId: number | undefined;
  /** Ids of staged files to add to the draft. */
  keep: number[];
  /** Ids of the draft's files to delete. */
  remove: number[];
}

/** How long an upload draft lasts, in milliseconds: an hour. */
export const draftLifetimeMs = 60 * 60 * 1000;
