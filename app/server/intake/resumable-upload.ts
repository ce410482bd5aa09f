/** An upload by the id that its browser made up. It may take several posts; good files are sent once. */
import * as z from "zod/mini";
import type { StoredDraft } from "../../domain/upload.ts";
import type { Form } from "../../forms/form.ts";
import { Rejection } from "../rejection.ts";
import type { IntakeDependencies } from "./post.ts";

export interface ResumableUpload {
  id: string;
  /** What earlier posts have left. */
  before: StoredDraft;
  /** The draft with the files that belong to this post; the same object as the post's draft. */
  draft: StoredDraft;
  /** Positions of the files in the body, in their order; undefined numbers them from 0. */
  sent: number[] | undefined;
  /** How many files of the body have been read. */
  readCount: number;
  /** Whether the post counts on files that are no longer there. */
  areFilesGone: boolean;
}

/** The code of a post whose connection is closed at once, so that the browser asks what has arrived. */
export const staleManifest = "stale_manifest";

/** The text part with the manifest. It comes before the files. */
export const manifestField = "upload";

/** What a post says about the files of its upload. */
interface Manifest {
  /** Ids of the files that arrived earlier and belong to the request. */
  kept: number[];
  /** Positions of the files in the body, in their order. */
  sent: number[];
}

const wholeNumbers = z.array(z.int().check(z.nonnegative()));
const manifestRules = z.object({ kept: wholeNumbers, sent: wholeNumbers });

/** Finds what earlier posts of the upload have left, or begins it. */
export async function openUpload(
  id: string,
  form: Form,
  { store, now }: Pick<IntakeDependencies, "store" | "now">,
): Promise<ResumableUpload> {
  const before = await store.openUpload(id, form.name, now());
  const draft = { ...before, files: [] };
  return { id, before, draft, sent: undefined, readCount: 0, areFilesGone: false };
}

/**
 * Adds the files of earlier posts that belong to this one. The manifest comes once, before all files.
 * @throws Rejection 400, 409 if the body repeats files that have arrived: browsers send a post again by
 * themselves after a lost connection
 */
export function addManifest(upload: ResumableUpload, text: string): void {
  const { before, draft } = upload;
  if (upload.sent || upload.readCount > 0) throw malformedManifest();
  const { kept, sent } = readManifest(text);
  if (before.files.some(({ position }) => position !== null && sent.includes(position))) {
    throw new Rejection(409, staleManifest, "Some of these files have arrived before.");
  }
  draft.files = before.files.filter(({ id }) => kept.includes(id));
  upload.areFilesGone = draft.files.length < kept.length;
  upload.sent = sent;
}

/** @throws Rejection 400 */
function readManifest(text: string): Manifest {
  try {
    const manifest = manifestRules.parse(JSON.parse(text));
    if (new Set(manifest.sent).size === manifest.sent.length) return manifest;
  } catch {
    // Reported below.
  }
  throw malformedManifest();
}

/** The position of the next file in the body. @throws Rejection 400 if the manifest lacks it */
export function nextPosition(upload: ResumableUpload): number {
  const index = upload.readCount;
  upload.readCount += 1;
  const position = upload.sent ? upload.sent[index] : index;
  if (position === undefined) throw malformedManifest();
  return position;
}

const malformedManifest = () =>
  new Rejection(400, "malformed", "The list of the upload’s files cannot be read.");
