import { draftMinutes } from "./service.ts";

/** The valid files of a form with errors, stored for its next post. Accessible only by the token. */
export interface UploadDraft {
  token: string;
  files: Omit<StagedFile, "sha256" | "position">[];
}

/** What a browser says about a file that it sends alone, ahead of the form. */
export interface FileUpload {
  /** The token of the upload's draft, which the browser made up. */
  token: string;
  /** The file's number in the upload. */
  number: number;
  field: string;
  name: string;
}

/** What the server has of an upload, for the browser that sends it. */
export interface UploadStatus {
  /** The files that have arrived whole and are valid. A file of an earlier draft has no number. */
  files: { id: number; number: number | null }[];
  /** The request that the upload has become, or null. */
  reference: string | null;
}

/** A file that has been received and stored, but is not yet part of a request. */
export interface StagedFile {
  id: number;
  field: string;
  name: string;
  /** In bytes. */
  size: number;
  /** The hash of the bytes, in hexadecimal. */
  sha256: string;
  /** The file's number in the upload, which the browser chose; null if the browser gave none. */
  position: number | null;
}

/** A file to be staged. */
export interface NewFile {
  field: string;
  name: string;
  mediaType: string;
  /** A server's store moves the bytes to the database's thread: the caller must not use them afterwards. */
  bytes: Uint8Array;
  /** The draft of an upload by script, and the file's number in it. */
  draft?: { id: number; position: number } | undefined;
}

export interface StoredDraft {
  id: number;
  files: StagedFile[];
  /** The request that the draft has become, or null. */
  reference: string | null;
}

/** A change to an upload draft. */
export interface DraftChange {
  /** The form that the token is valid for. */
  form: string;
  /** The draft to change; a new one is created if undefined or deleted. */
  draftId: number | undefined;
  /** Ids of staged files to add to the draft. */
  keep: number[];
  /** Ids of the draft's files to delete. */
  remove: number[];
}

/**
 * How long an upload draft lasts, in milliseconds: after the last file of an upload by script, or after the first post
 * of a form that came back.
 */
export const draftLifetimeMs = draftMinutes * 60 * 1000;
