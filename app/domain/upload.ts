import { draftMinutes } from "./service.ts";

/** What the server does with an upload once it has been received. */
export type UploadStep = "checking" | "storing";

/**
 * The valid files of a form with errors, stored for its next post. Accessible only by the token.
 */
export interface UploadDraft {
  token: string;
  files: Omit<StagedFile, "sha256" | "position">[];
}

/** How far the post of an upload is that is being received. */
export interface UploadProgress {
  /** Null if none is. */
  step: UploadStep | null;
  /** How many bytes of its body have arrived. */
  received: number;
}

/** What the server has of an upload, for the browser that sends it. */
export interface UploadStatus {
  /** The files that have arrived whole and are valid. */
  files: { id: number; position: number | null }[];
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
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  /** Its number in the upload, which the browser chose; null if it gave none. */
  position: number | null;
}

/** A file to be staged. */
export interface NewFile {
  field: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Stages the file in the draft of an upload. */
  upload?: { draftId: number; position: number } | undefined;
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
  /** The request that the draft has become, or null. */
  reference: string | null;
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

/** How long an upload draft lasts after its last file, in milliseconds. */
export const draftLifetimeMs = draftMinutes * 60 * 1000;
