/** Scans of a class that are sent in parts, until they are cut. */
import { and, asc, count, eq, inArray, isNotNull, isNull, lt, max, sum } from "drizzle-orm";
import {
  maxScanBytes,
  maxScanUploads,
  type NewScanUpload,
  type QueuedUpload,
  type ScanUploadStatus,
  type SentScans,
  type ShownScanUpload,
  type SplitOutcome,
  scanPartBytes,
} from "../../app/domain/scan-upload.ts";
import { countRows, deleteRows, type Tx } from "../operation.ts";
import { classJobs, scanParts, scanUploads } from "../schema.ts";
import { addClassJob } from "./class-jobs.ts";
import { lockAssessment, signatureOf } from "./class-rows.ts";
import { teamLinkOf } from "./team-links.ts";

const isWaiting = and(isNotNull(scanUploads.queuedAt), isNull(scanUploads.outcome));
const isOfClass = (assessmentId: number) => eq(scanUploads.assessmentId, assessmentId);

/** The class of a link to the team's page, and who signed its marks; undefined if the token opens no page. */
export async function findScanTarget(tx: Tx, token: string) {
  const found = await teamLinkOf(tx, token);
  if (!found) return undefined;
  const { assessmentId } = found;
  return { assessmentId, signedBy: (await signatureOf(tx, assessmentId))?.by };
}

/** The upload with a key, added if there is none; undefined if too many uploads of the class are not cut yet. */
export async function openScanUpload(
  tx: Tx,
  assessmentId: number,
  { key, names }: NewScanUpload,
  now: Date,
) {
  await lockAssessment(tx, assessmentId);
  const found = await uploadWithKey(tx, assessmentId, key);
  if (found) return found;
  const isUncut = and(isOfClass(assessmentId), isNull(scanUploads.outcome));
  if ((await countRows(tx, scanUploads, isUncut)) >= maxScanUploads) return undefined;
  const scans = names.map((name) => ({ name }));
  const [added] = await tx
    .insert(scanUploads)
    .values({ assessmentId, key, scans, createdAt: now.toISOString() })
    .returning({ id: scanUploads.id });
  return { id: added!.id, isQueued: false };
}

async function uploadWithKey(tx: Tx, assessmentId: number, key: string) {
  const [found] = await tx
    .select({ id: scanUploads.id, queuedAt: scanUploads.queuedAt })
    .from(scanUploads)
    .where(and(isOfClass(assessmentId), eq(scanUploads.key, key)));
  return found && { id: found.id, isQueued: found.queuedAt !== null };
}

/** Which parts of an upload of one scan have arrived; undefined if no upload of the class has this key. */
export async function findScanUpload(
  tx: Tx,
  assessmentId: number,
  key: string,
): Promise<ScanUploadStatus | undefined> {
  const upload = await uploadWithKey(tx, assessmentId, key);
  if (!upload) return undefined;
  const parts = await tx
    .select({ position: scanParts.position })
    .from(scanParts)
    .where(and(eq(scanParts.uploadId, upload.id), eq(scanParts.scan, 0)))
    .orderBy(asc(scanParts.position));
  return { ...upload, parts: parts.map(({ position }) => position) };
}

interface PartPlace {
  uploadId: number;
  /** Which of the upload's scans, from 0. */
  scan: number;
  /** Which part of the scan, from 0. */
  position: number;
}

/** Stores a part of a scan, once. Returns false if the upload is deleted or complete, or takes no such part. */
export async function addScanPart(
  tx: Tx,
  // A server's store moves `bytes` to the database's thread: the caller must not use them afterwards.
  { uploadId, scan, position, bytes: content }: PartPlace & { bytes: Uint8Array },
): Promise<boolean> {
  const [upload] = await tx.locked(
    tx
      .select({ scans: scanUploads.scans })
      .from(scanUploads)
      .where(and(eq(scanUploads.id, uploadId), isNull(scanUploads.queuedAt))),
  );
  const size = content.byteLength;
  const hasRoom = size <= scanPartBytes && (position + 1) * scanPartBytes <= maxScanBytes;
  if (!upload?.scans[scan] || size === 0 || !hasRoom) return false;
  const bytes = Buffer.from(content.buffer, content.byteOffset, size);
  await tx
    .insert(scanParts)
    .values({ uploadId, scan, position, size, bytes })
    .onConflictDoNothing({ target: [scanParts.uploadId, scanParts.scan, scanParts.position] });
  return true;
}

/** Queues an upload to be cut. Returns "missing" if not all of it has arrived, or if it is deleted. */
export async function queueScanUpload(
  tx: Tx,
  uploadId: number,
  { sizes, scriptPages }: SentScans,
  now: Date,
): Promise<"queued" | "queued before" | "missing"> {
  const isThis = eq(scanUploads.id, uploadId);
  const { assessmentId } = scanUploads;
  const [found] = await tx.select({ assessmentId }).from(scanUploads).where(isThis);
  if (!found) return "missing";
  await lockAssessment(tx, found.assessmentId);
  // The upload may have been queued or deleted while this transaction waited for the lock.
  const [upload] = await tx.select().from(scanUploads).where(isThis);
  if (!upload) return "missing";
  if (upload.queuedAt !== null) return "queued before";
  const arrived = await tx
    .select({
      scan: scanParts.scan,
      bytes: sum(scanParts.size),
      parts: count(),
      last: max(scanParts.position),
    })
    .from(scanParts)
    .where(eq(scanParts.uploadId, uploadId))
    .groupBy(scanParts.scan);
  const byScan = new Map(arrived.map((one) => [one.scan, one]));
  const isWhole = sizes.every((size, scan) => {
    const one = byScan.get(scan);
    return one && Number(one.bytes) === size && one.last === one.parts - 1;
  });
  if (sizes.length !== upload.scans.length || !isWhole) return "missing";
  const queuedAt = now.toISOString();
  await tx.update(scanUploads).set({ queuedAt, scriptPages }).where(isThis);
  await addClassJob(tx, upload.assessmentId, now);
  return "queued";
}

/** Deletes an upload that is not complete. Returns whether there was one. */
export async function discardScanUpload(
  tx: Tx,
  assessmentId: number,
  key: string,
): Promise<boolean> {
  const isThis = and(
    isOfClass(assessmentId),
    eq(scanUploads.key, key),
    isNull(scanUploads.queuedAt),
  );
  const isDeleted = (await deleteRows(tx, scanUploads, isThis)) > 0;
  if (isDeleted) tx.scrubAfterCommit();
  return isDeleted;
}

/** The upload of a class that has waited for longest; undefined if none waits. */
export async function nextScanUpload(
  tx: Tx,
  assessmentId: number,
): Promise<QueuedUpload | undefined> {
  const { id, scans, scriptPages } = scanUploads;
  const [next] = await tx
    .select({ id, scans, scriptPages })
    .from(scanUploads)
    .where(and(isOfClass(assessmentId), isWaiting))
    .orderBy(asc(scanUploads.queuedAt), asc(id))
    .limit(1);
  return next && { id: next.id, names: namesOf(next), scriptPages: next.scriptPages };
}

const namesOf = ({ scans }: { scans: { name: string }[] }) => scans.map(({ name }) => name);

/** The names of the scans of a class that are not cut yet, arrived or not. */
export async function listUncutScans(tx: Tx, assessmentId: number): Promise<string[]> {
  const { scans, outcome } = scanUploads;
  const isUncut = and(isOfClass(assessmentId), isNull(outcome));
  return (await tx.select({ scans }).from(scanUploads).where(isUncut)).flatMap(namesOf);
}

/** The bytes of a part; undefined after the last part of a scan. */
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

/**
 * Stores the outcome of cutting an upload, unless it has one, deletes its bytes, and sets the attempts at the class's
 * job to 0.
 */
export async function endScanUpload(
  tx: Tx,
  uploadId: number,
  outcome: SplitOutcome,
): Promise<void> {
  const isEnded = eq(scanUploads.id, uploadId);
  await tx
    .update(scanUploads)
    .set({ outcome })
    .where(and(isEnded, isNull(scanUploads.outcome)));
  const ended = tx.select({ id: scanUploads.assessmentId }).from(scanUploads).where(isEnded);
  await tx.update(classJobs).set({ attempts: 0 }).where(inArray(classJobs.assessmentId, ended));
  await tx.delete(scanParts).where(eq(scanParts.uploadId, uploadId));
  tx.scrubAfterCommit();
}

/** The uploads of a class, newest last. */
export async function listScanUploads(tx: Tx, assessmentId: number): Promise<ShownScanUpload[]> {
  const uploads = await tx
    .select({ upload: scanUploads, bytes: sum(scanParts.size) })
    .from(scanUploads)
    .leftJoin(scanParts, eq(scanParts.uploadId, scanUploads.id))
    .where(isOfClass(assessmentId))
    .groupBy(scanUploads.id)
    .orderBy(asc(scanUploads.id));
  return uploads.map(({ upload, bytes }) => ({
    key: upload.key,
    createdAt: upload.createdAt,
    names: namesOf(upload),
    bytes: Number(bytes ?? 0),
    state: upload.outcome ?? (upload.queuedAt === null ? "arriving" : "waiting"),
  }));
}

/** Deletes uploads from before a time that have not arrived whole. Returns their number. */
export async function deleteStaleScanUploads(tx: Tx, before: Date): Promise<number> {
  const { queuedAt, createdAt } = scanUploads;
  // A queued upload is kept however old: a server that is reading its parts would cut a shorter scan without the rest.
  const isStale = and(isNull(queuedAt), lt(createdAt, before.toISOString()));
  const deleted = await deleteRows(tx, scanUploads, isStale);
  if (deleted > 0) tx.scrubAfterCommit();
  return deleted;
}
