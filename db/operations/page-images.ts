/** Files as pictures and paragraphs, and who may see which of their pages. */
import { and, asc, eq, gt, isNull, lte, ne, notInArray, or } from "drizzle-orm";
import type { RenderReport } from "../../app/domain/class-jobs.ts";
import {
  type DeskLink,
  opensLearner,
  type ShownFile,
  type WorkFile,
} from "../../app/domain/desk.ts";
import type { RenderedFile, ShownPage } from "../../app/domain/page-image.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  markingLinks,
  pageImages,
  renderedFiles,
  resultLinks,
  submissionFiles,
  submissions,
  uploadedFiles,
} from "../schema.ts";
import { isOwnUpload, learnerRows, submissionRow } from "./class-rows.ts";
import { hasPage, uploadOf, workFilesOf } from "./desk-class.ts";
import { deskOf, type OpenedDesk } from "./desk-links.ts";
import { openAudit } from "./erasure.ts";
import { linkOf } from "./result-links.ts";
import { opensAsProblem } from "./scans.ts";
import { stampsOn, turnsOf } from "./stamps.ts";

/** The files of a class, the paper too, that have not been rendered; empty if its request has been deleted. */
export async function listUnrenderedFiles(tx: Tx, assessmentId: number) {
  const { id, name, contactRequestId } = uploadedFiles;
  return await tx
    .select({ id, name })
    .from(assessments)
    .innerJoin(assessmentSubmissions, isOwnUpload)
    .innerJoin(uploadedFiles, eq(contactRequestId, assessmentSubmissions.contactId))
    .leftJoin(renderedFiles, eq(renderedFiles.fileId, id))
    .where(and(eq(assessments.id, assessmentId), isNull(renderedFiles.id)))
    .orderBy(asc(id));
}

/** Reports on the rendered files of a class, in the order of their ids; empty if its request has been deleted. */
export async function listRenderings(
  tx: Tx,
  assessmentId: number,
): Promise<(RenderReport & { id: number })[]> {
  const { id, name, contactRequestId } = uploadedFiles;
  const files = await tx
    .select({ id, name, reason: renderedFiles.reason })
    .from(assessments)
    .innerJoin(assessmentSubmissions, isOwnUpload)
    .innerJoin(uploadedFiles, eq(contactRequestId, assessmentSubmissions.contactId))
    .innerJoin(renderedFiles, eq(renderedFiles.fileId, id))
    .where(eq(assessments.id, assessmentId))
    .orderBy(asc(id));
  const { fileId, page, warning } = pageImages;
  const ids = files.map((file) => file.id);
  const pages = await tx
    .select({ fileId, warning })
    .from(pageImages)
    .where(tx.isOneOf(fileId, ids))
    .orderBy(asc(page));
  const pagesOf = Map.groupBy(pages, (one) => one.fileId);
  return files.map((file) => {
    const ownPages = pagesOf.get(file.id) ?? [];
    const problems = [file.reason, ...ownPages.map((one) => one.warning)];
    return {
      id: file.id,
      file: file.name,
      pages: ownPages.length,
      problems: problems.flatMap((problem) => (problem ? `${file.name}: ${problem}` : [])),
    };
  });
}

/** Stores what rendering a file gave, in place of an earlier rendering. */
export async function storeRendering(
  tx: Tx,
  fileId: number,
  rendered: RenderedFile,
  now: Date,
): Promise<void> {
  await deleteRenderings(tx, [fileId]);
  await tx.insert(renderedFiles).values({
    fileId,
    kind: rendered.kind,
    reason: rendered.kind === "original" ? rendered.reason : null,
    paragraphs: rendered.kind === "paragraphs" ? rendered.paragraphs : null,
    createdAt: now.toISOString(),
  });
  if (rendered.kind !== "pages") return;
  for (const { webp, ...page } of rendered.pages) {
    const { buffer, byteOffset, byteLength } = webp;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    await tx.insert(pageImages).values({ ...page, fileId, bytes });
  }
}

async function deleteRenderings(tx: Tx, fileIds: number[]): Promise<void> {
  for (const table of [pageImages, renderedFiles]) {
    await tx.delete(table).where(tx.isOneOf(table.fileId, fileIds));
  }
}

/**
 * Deletes renderings from before a time if no marking link and no link to results of their request has been open
 * since. Opening a desk and publishing render the files again. Returns the number of files.
 */
export async function deleteUnusedRenderings(tx: Tx, before: Date): Promise<number> {
  const time = before.toISOString();
  const requestsUnder = (links: typeof markingLinks | typeof resultLinks) =>
    tx
      .select({ id: assessmentSubmissions.contactId })
      .from(links)
      .innerJoin(assessments, eq(assessments.id, links.assessmentId))
      .innerJoin(assessmentSubmissions, isOwnUpload)
      .where(
        and(gt(links.expiresAt, time), or(isNull(links.revokedAt), gt(links.revokedAt, time))),
      );
  const unused = await tx
    .select({ id: renderedFiles.fileId })
    .from(renderedFiles)
    .innerJoin(uploadedFiles, eq(uploadedFiles.id, renderedFiles.fileId))
    .where(
      and(
        lte(renderedFiles.createdAt, time),
        notInArray(uploadedFiles.contactRequestId, requestsUnder(markingLinks)),
        notInArray(uploadedFiles.contactRequestId, requestsUnder(resultLinks)),
      ),
    );
  const ids = unused.map(({ id }) => id);
  await deleteRenderings(tx, ids);
  if (unused.length > 0) tx.scrubAfterCommit();
  return unused.length;
}

/** The question paper and the memo, as they were rendered; empty if the link opens no desk. */
export async function findPaperFiles(tx: Tx, token: string, now: Date): Promise<ShownFile[]> {
  const opened = await deskOf(tx, token, now);
  if ("state" in opened) return [];
  const files = await paperFiles(tx, opened.assessmentId);
  return files.map(await fileViewer(tx, files, { ...opened.link, showsNames: true }));
}

type View = Pick<DeskLink, "showsNames" | "tolerance">;

/** The files of a learner's work, as they were rendered. */
export const workOf = async (tx: Tx, row: { id: number }, view: View): Promise<ShownFile[]> =>
  (await worksOf(tx, [row], view)).get(row.id) ?? [];

/**
 * The scripts of a class with their stamps, by the ids of its learners.
 * @param learnerId of the only learner whose script is read; undefined for all
 */
export async function listScripts(
  tx: Tx,
  assessmentId: number,
  learnerId?: number,
): Promise<ReadonlyMap<number, ShownFile[]>> {
  const all = await learnerRows(tx, assessmentId);
  const rows = learnerId === undefined ? all : all.filter(({ id }) => id === learnerId);
  return await worksOf(tx, rows, { showsNames: true, tolerance: null });
}

/** As `listScripts`, for the class of a link to results; empty if the link is not open. */
export async function findScripts(
  tx: Tx,
  token: string,
  learnerId: number | undefined,
  now: Date,
): Promise<ReadonlyMap<number, ShownFile[]>> {
  const link = await linkOf(tx, token, now);
  return link ? await listScripts(tx, link.assessmentId, learnerId) : new Map();
}

/** Whether any page of the scripts that a link to results opens can be shown. */
export async function hasScripts(tx: Tx, token: string, now: Date): Promise<boolean> {
  const link = await linkOf(tx, token, now);
  if (!link) return false;
  const [found] = await tx
    .select({ id: renderedFiles.id })
    .from(renderedFiles)
    .innerJoin(submissionFiles, eq(submissionFiles.fileId, renderedFiles.fileId))
    .innerJoin(submissions, eq(submissions.id, submissionFiles.submissionId))
    .where(and(eq(submissions.assessmentId, link.assessmentId), ne(renderedFiles.kind, "original")))
    .limit(1);
  return found !== undefined;
}

/** The files of learners' works, as they were rendered, by the learner's id. */
async function worksOf(
  tx: Tx,
  rows: readonly { id: number }[],
  view: View,
): Promise<Map<number, ShownFile[]>> {
  const files = await workFilesOf(tx, rows);
  const show = await fileViewer(tx, [...files.values()].flat(), view);
  return new Map(rows.map(({ id }) => [id, (files.get(id) ?? []).map(show)]));
}

/** The picture of a script's page as WebP; undefined if there is none or the link to results does not open it. */
export async function findScriptPage(
  tx: Tx,
  token: string,
  { fileId, page }: { fileId: number; page: number },
  now: Date,
): Promise<Buffer | undefined> {
  const link = await linkOf(tx, token, now);
  if (!link) return undefined;
  const parts = await partsOf(tx, link.assessmentId, fileId);
  return parts.some((part) => hasPage(part, page))
    ? await readPageImage(tx, fileId, page)
    : undefined;
}

/** The picture of a page as WebP; undefined if there is none. */
export async function readPageImage(
  tx: Tx,
  fileId: number,
  page: number,
): Promise<Buffer | undefined> {
  const [image] = await tx
    .select({ bytes: pageImages.bytes })
    .from(pageImages)
    .where(and(eq(pageImages.fileId, fileId), eq(pageImages.page, page)));
  return image?.bytes;
}

async function paperFiles(tx: Tx, assessmentId: number): Promise<WorkFile[]> {
  const { questionsFileData, rubricFileData } = await uploadOf(tx, assessmentId);
  return [questionsFileData, rubricFileData].flatMap((fileId) =>
    fileId === null ? [] : { fileId, firstPage: 1, lastPage: null },
  );
}

/** Returns a function that returns one of these parts of files as it was rendered. */
async function fileViewer(
  tx: Tx,
  parts: readonly WorkFile[],
  { showsNames, tolerance }: View,
): Promise<(part: WorkFile) => ShownFile> {
  const ids = parts.map((part) => part.fileId);
  const { id, name } = uploadedFiles;
  const files = await tx
    .select({ id, name, rendered: renderedFiles })
    .from(uploadedFiles)
    .leftJoin(renderedFiles, eq(renderedFiles.fileId, id))
    .where(tx.isOneOf(id, ids));
  const { fileId, page, width, height, text, warning } = pageImages;
  const pages = await tx
    .select({ fileId, page, width, height, text, warning })
    .from(pageImages)
    .where(tx.isOneOf(fileId, ids))
    .orderBy(asc(page));
  const turnOf = await turnsOf(tx, ids);
  const turned = pages.map((one) => ({ ...one, turn: turnOf(one) }));
  const placed = await stampsOn(tx, ids, { tolerance });
  const byId = new Map(files.map((file) => [file.id, file]));
  const pagesOf = Map.groupBy(turned, (one) => one.fileId);
  const stampsOf = Map.groupBy(placed, (one) => one.fileId);
  return (part) => {
    const { name: fileName, rendered } = byId.get(part.fileId)!;
    const isShown = (one: { page: number | null }) => one.page === null || hasPage(part, one.page);
    const ownPages = (pagesOf.get(part.fileId) ?? []).filter(isShown);
    return {
      fileId: part.fileId,
      firstPage: part.firstPage,
      lastPage: part.lastPage,
      name: showsNames ? fileName : null,
      rendered: rendered && shownAs(rendered, ownPages),
      stamps: (stampsOf.get(part.fileId) ?? []).filter(isShown),
    };
  };
}

function shownAs(
  file: typeof renderedFiles.$inferSelect,
  pages: (Omit<ShownPage, "text" | "warning"> & Record<"text" | "warning", string | null>)[],
): ShownFile["rendered"] {
  if (file.kind === "original") return { kind: "original", reason: file.reason! };
  if (file.kind === "paragraphs") return { kind: "paragraphs", paragraphs: file.paragraphs! };
  return {
    kind: "pages",
    pages: pages.map(
      ({ page, width, height, turn, text, warning }): ShownPage => ({
        page,
        width,
        height,
        turn,
        ...(text && { text }),
        ...(warning && { warning }),
      }),
    ),
  };
}

/** The parts of a file that are the work of learners of a class. */
async function partsOf(tx: Tx, assessmentId: number, fileId: number) {
  const { submissionId: learnerId, firstPage, lastPage } = submissionFiles;
  return await tx
    .select({ fileId: submissionFiles.fileId, learnerId, firstPage, lastPage })
    .from(submissionFiles)
    .innerJoin(submissions, eq(submissions.id, learnerId))
    .where(and(eq(submissions.assessmentId, assessmentId), eq(submissionFiles.fileId, fileId)));
}

/**
 * What a link opens of a file. `isShared`: all of it, as the paper or a problem page. `learnerParts`: the parts that
 * are work of the link's learners.
 */
async function openedParts(tx: Tx, opened: OpenedDesk, fileId: number) {
  const { link, assessmentId } = opened;
  const paper = await paperFiles(tx, assessmentId);
  const isPaper = paper.some((one) => one.fileId === fileId);
  const parts = await partsOf(tx, assessmentId, fileId);
  return {
    isShared: isPaper || (await opensAsProblem(tx, opened, fileId)),
    learnerParts: parts.filter((part) => opensLearner(link, part.learnerId)),
  };
}

/** Whether these parts are all pages of a file. Pages of a learner who was erased or removed are in no part. */
function isWhole(parts: readonly Omit<WorkFile, "fileId">[]): boolean {
  let next = 1;
  for (const { firstPage, lastPage } of parts.toSorted((a, b) => a.firstPage - b.firstPage)) {
    if (firstPage > next) return false;
    if (lastPage === null) return true;
    next = Math.max(next, lastPage + 1);
  }
  return false;
}

/** The picture of a page as WebP; undefined if there is none, or the link does not open the page. */
export async function findPage(
  tx: Tx,
  token: string,
  { fileId, page }: { fileId: number; page: number },
  now: Date,
): Promise<Buffer | undefined> {
  const found = await deskOf(tx, token, now);
  if ("state" in found) return undefined;
  const { isShared, learnerParts } = await openedParts(tx, found, fileId);
  if (!isShared && !learnerParts.some((part) => hasPage(part, page))) return undefined;
  return await readPageImage(tx, fileId, page);
}

/**
 * An original file; undefined if the link does not open all of it. If the link shows no names, the file is named after
 * the learner's number.
 * @param options.isRead whether the audit records the opening; false if only the headers of the file are asked for
 */
export async function openOriginal(
  tx: Tx,
  token: string,
  { fileId, isRead }: { fileId: number; isRead: boolean },
  now: Date,
) {
  const found = await deskOf(tx, token, now);
  if ("state" in found) return undefined;
  const { isShared, learnerParts } = await openedParts(tx, found, fileId);
  if (!isShared && !isWhole(learnerParts)) return undefined;
  const { name, mediaType } = uploadedFiles;
  const [file] = await tx
    .select({ name, mediaType })
    .from(uploadedFiles)
    .where(eq(uploadedFiles.id, fileId));
  const bytes = await tx.selectBytes(fileId);
  if (!file || !bytes) return undefined;
  if (isRead) await openAudit(tx, "original opened", now, found.link.reference);
  if (isShared || found.link.showsNames) return { ...file, bytes };
  const learner = await submissionRow(tx, found.assessmentId, learnerParts[0]!.learnerId);
  const extension = /\.\w+$/.exec(file.name)?.[0] ?? "";
  return { ...file, name: `learner ${learner!.learnerNumber}${extension}`, bytes };
}
