/** Scans of a class that are sent in parts, until they are cut. */
import { and, asc, count, eq, isNotNull, isNull, lt, sum } from "drizzle-orm";
import {
  maxScanBytes,
  type NewScanUpload,
  type QueuedUpload,
  type ShownScanUpload,
  type SplitOutcome,
  scanPartBytes,
} from "../../app/domain/scan-upload.ts";
import { Unavailable } from "../errors.ts";
import type { Tx } from "../operation.ts";
import { scanParts, scanUploads } from "../schema.ts";
import { addClassJob } from "./class-jobs.ts";
import { lockAssessment } from "./imported-results.ts";

/** Of one class. Each may take 100 MB until it is cut. */
const maxUploads = 8;

const isWaiting = and(isNotNull(scanUploads.queuedAt), isNull(scanUploads.outcome));

/** The upload with a key, made if there is none. @throws Unavailable if too many wait */
export async function openScanUpload(
  tx: Tx,
  assessmentId: number,
  { key, ...columns }: NewScanUpload,
  now: Date,
): Promise<{ id: number; isQueued: boolean }> {
  await lockAssessment(tx, assessmentId);
  const { id, queuedAt, outcome } = scanUploads;
  const ofClass = eq(scanUploads.assessmentId, assessmentId);
  const [found] = await tx
    .select({ id, queuedAt })
    .from(scanUploads)
    .where(and(ofClass, eq(scanUploads.key, key)));
  if (found) return { id: found.id, isQueued: found.queuedAt !== null };
  const [waiting] = await tx
    .select({ n: count() })
    .from(scanUploads)
    .where(and(ofClass, isNull(outcome)));
  if (waiting!.n >= maxUploads) throw new Unavailable("Too many scans of the class wait.");
  const [added] = await tx
    .insert(scanUploads)
    .values({ assessmentId, key, ...columns, createdAt: now.toISOString() })
    .returning({ id });
  return { id: added!.id, isQueued: false };
}

interface PartPlace {
  uploadId: number;
  /** Which of the upload's scans, from 0. */
  scan: number;
  /** Which part of it, from 0; all but the last have the same size. */
  position: number;
}

/** Stores a part of a scan, once. Returns false if the upload is gone, or takes no such part. */
export async function addScanPart(tx: Tx, place: PartPlace, content: Buffer): Promise<boolean> {
  const { uploadId, scan, position } = place;
  const [upload] = await tx.locked(
    tx
      .select({ scans: scanUploads.scans })
      .from(scanUploads)
      .where(and(eq(scanUploads.id, uploadId), isNull(scanUploads.queuedAt))),
  );
  const size = upload?.scans[scan]?.size ?? 0;
  const wanted = Math.min(scanPartBytes, Math.min(size, maxScanBytes) - position * scanPartBytes);
  if (content.byteLength !== wanted) return false;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  await tx
    .insert(scanParts)
    .values({ uploadId, scan, position, size: bytes.length, bytes })
    .onConflictDoNothing({ target: [scanParts.uploadId, scanParts.scan, scanParts.position] });
  return true;
}

/** Has an upload cut, once all of it has arrived; otherwise returns false. */
export async function queueScanUpload(tx: Tx, uploadId: number, now: Date): Promise<boolean> {
  const [upload] = await tx.select().from(scanUploads).where(eq(scanUploads.id, uploadId));
  if (!upload) return false;
  if (upload.queuedAt !== null) return true;
  const [arrived] = await tx
    .select({ bytes: sum(scanParts.size) })
    .from(scanParts)
    .where(eq(scanParts.uploadId, uploadId));
  const total = upload.scans.reduce((all, { size }) => all + size, 0);
  if (Number(arrived!.bytes ?? 0) !== total) return false;
  await lockAssessment(tx, upload.assessmentId);
  const queuedAt = now.toISOString();
  await tx.update(scanUploads).set({ queuedAt }).where(eq(scanUploads.id, uploadId));
  await addClassJob(tx, upload.assessmentId, now);
  return true;
}

/** The upload of a class that has waited for longest. */
export async function nextScanUpload(
  tx: Tx,
  assessmentId: number,
): Promise<QueuedUpload | undefined> {
  const { id, scans, scriptPages } = scanUploads;
  const [next] = await tx
    .select({ id, scans, scriptPages })
    .from(scanUploads)
    .where(and(eq(scanUploads.assessmentId, assessmentId), isWaiting))
    .orderBy(asc(id))
    .limit(1);
  return next;
}

/** Undefined behind the last part of a scan. */
export async function readScanPart(tx: Tx, place: PartPlace): Promise<Buffer | undefined> {
  const { uploadId, scan, position } = place;
  const [part] = await tx
    .select({ bytes: scanParts.bytes })
    .from(scanParts)
    .where(
      and(
        eq(scanParts.uploadId, uploadId),
        eq(scanParts.scan, scan),
        eq(scanParts.position, position),
      ),
    );
  return part?.bytes;
}

/** Keeps what became of an upload, and deletes its bytes. */
export async function endScanUpload(
  tx: Tx,
  uploadId: number,
  outcome: SplitOutcome,
): Promise<void> {
  await tx.update(scanUploads).set({ outcome }).where(eq(scanUploads.id, uploadId));
  await tx.delete(scanParts).where(eq(scanParts.uploadId, uploadId));
  tx.scrubAfterCommit();
}

/** The uploads of a class, newest last. */
export async function listScanUploads(tx: Tx, assessmentId: number): Promise<ShownScanUpload[]> {
  const uploads = await tx
    .select()
    .from(scanUploads)
    .where(eq(scanUploads.assessmentId, assessmentId))
    .orderBy(asc(scanUploads.id));
  return uploads.map(({ key, scans, createdAt, queuedAt, outcome }) => ({
    ...{ key, createdAt },
    names: scans.map(({ name }) => name),
    state: outcome ?? (queuedAt === null ? "arriving" : "waiting"),
  }));
}

/** Deletes uploads that have not arrived whole, or are not cut, since a time. Returns how many. */
export async function deleteStaleScanUploads(tx: Tx, before: Date): Promise<number> {
  const deleted = await tx
    .delete(scanUploads)
    .where(and(isNull(scanUploads.outcome), lt(scanUploads.createdAt, before.toISOString())))
    .returning({ id: scanUploads.id });
  if (deleted.length > 0) tx.scrubAfterCommit();
  return deleted.length;
}
