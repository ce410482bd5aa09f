/** Files as pictures and paragraphs, and who may see which of their pages. */
import { and, asc, eq, gt, isNull, lte, notInArray, or } from "drizzle-orm";
import type { MarkingLink, ShownFile, WorkFile } from "../../app/domain/desk.ts";
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
import { filesOf, isPart, uploadOf } from "./desk-class.ts";
import { openAudit } from "./erasure.ts";
import { submissionRows } from "./imported-results.ts";
import { markingLinkOf, opensLearner } from "./marking-links.ts";
import { belongsTo } from "./request-owner.ts";
import { linkOf } from "./result-links.ts";
import { opensAsProblem } from "./scans.ts";
import { stampsOn, turnsOf } from "./stamps.ts";

/** The files of a request that have not been rendered. */
export async function listUnrenderedFiles(
  tx: Tx,
  reference: string,
): Promise<{ id: number; name: string }[]> {
  const { id, name } = uploadedFiles;
  return await tx
    .select({ id, name })
    .from(uploadedFiles)
    .leftJoin(renderedFiles, eq(renderedFiles.fileId, id))
    .where(and(belongsTo(tx, uploadedFiles, reference), isNull(renderedFiles.id)))
    .orderBy(asc(id));
}

/** Stores what rendering a file gave, in place of an earlier one. */
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

/** Deletes what was rendered before a time, of requests for which no marking link or link to results has been open since. */
export async function deleteUnusedRenderings(tx: Tx, before: Date): Promise<number> {
  const time = before.toISOString();
  const [underMarking, underResults] = [markingLinks, resultLinks].map((links) =>
    tx
      .select({ id: assessmentSubmissions.contactId })
      .from(links)
      .innerJoin(assessments, eq(assessments.id, links.assessmentId))
      .innerJoin(
        assessmentSubmissions,
        eq(assessmentSubmissions.id, assessments.assessmentSubmissionId),
      )
      .where(
        and(gt(links.expiresAt, time), or(isNull(links.revokedAt), gt(links.revokedAt, time))),
      ),
  );
  const unused = await tx
    .select({ id: renderedFiles.fileId })
    .from(renderedFiles)
    .innerJoin(uploadedFiles, eq(uploadedFiles.id, renderedFiles.fileId))
    .where(
      and(
        lte(renderedFiles.createdAt, time),
        notInArray(uploadedFiles.contactRequestId, underMarking!),
        notInArray(uploadedFiles.contactRequestId, underResults!),
      ),
    );
  await deleteRenderings(
    tx,
    unused.map(({ id }) => id),
  );
  if (unused.length > 0) tx.scrubAfterCommit();
  return unused.length;
}

/** The link of a token if it is open, with its assessment. */
async function openLinkOf(tx: Tx, token: string, now: Date) {
  const found = await markingLinkOf(tx, token, now);
  return found?.link.state === "open" ? found : undefined;
}

/**
 * The files of a learner's work, or of the paper (questions, then memo), as they were rendered; undefined if the
 * link does not open them.
 */
export async function findWork(
  tx: Tx,
  token: string,
  of: { learnerId: number } | "paper",
  now: Date,
): Promise<ShownFile[] | undefined> {
  const found = await openLinkOf(tx, token, now);
  if (!found) return undefined;
  const { link, assessmentId } = found;
  if (of === "paper") {
    const files = await paperFiles(tx, assessmentId);
    return await showFiles(tx, files, { ...link, showsNames: true });
  }
  const rows = await submissionRows(tx, assessmentId);
  const row = rows.find(({ id }) => id === of.learnerId && opensLearner(link, id));
  return row && (await worksOf(tx, [row], link))[0];
}

/** The scripts of a class with their stamps, in the order of its learners. */
export const listScripts = async (tx: Tx, assessmentId: number): Promise<ShownFile[][]> =>
  worksOf(tx, await submissionRows(tx, assessmentId), educatorsView);

const educatorsView = { showsNames: true, tolerance: null };

/**
 * The scripts that a link to results opens.
 * @param learner position in the class, from 0; of all learners if it is missing
 */
export async function findScripts(
  tx: Tx,
  token: string,
  learner: number | undefined,
  now: Date,
): Promise<ShownFile[][]> {
  const link = await linkOf(tx, token, now);
  if (!link) return [];
  const rows = await submissionRows(tx, link.assessmentId);
  const chosen = learner === undefined ? rows : rows.slice(learner, learner + 1);
  return await worksOf(tx, chosen, educatorsView);
}

/** The files of each of some learners. */
async function worksOf(
  tx: Tx,
  rows: readonly { id: number }[],
  view: Pick<MarkingLink, "showsNames" | "tolerance">,
): Promise<ShownFile[][]> {
  const files = await filesOf(tx, rows);
  const parts = rows.map(({ id }) => files.get(id) ?? []);
  const shown = await showFiles(tx, parts.flat(), view);
  return parts.map((own) => shown.splice(0, own.length));
}

/** The picture of a page of a script as WebP; undefined if there is none, or the link to results does not open it. */
export async function findScriptPage(
  tx: Tx,
  token: string,
  { fileId, page }: { fileId: number; page: number },
  now: Date,
): Promise<Buffer | undefined> {
  const link = await linkOf(tx, token, now);
  if (!link) return undefined;
  const files = await filesOf(tx, await submissionRows(tx, link.assessmentId));
  const isOpen = [...files.values()]
    .flat()
    .some((part) => part.fileId === fileId && isPart(part, page));
  return isOpen ? await pictureOf(tx, fileId, page) : undefined;
}

async function pictureOf(tx: Tx, fileId: number, page: number): Promise<Buffer | undefined> {
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

async function showFiles(
  tx: Tx,
  parts: WorkFile[],
  { showsNames, tolerance }: Pick<MarkingLink, "showsNames" | "tolerance">,
): Promise<ShownFile[]> {
  const ids = parts.map(({ fileId }) => fileId);
  const { id, name } = uploadedFiles;
  const files = await tx.select({ id, name }).from(uploadedFiles).where(tx.isOneOf(id, ids));
  const rendered = await tx
    .select()
    .from(renderedFiles)
    .where(tx.isOneOf(renderedFiles.fileId, ids));
  const { fileId, page, width, height, text, warning } = pageImages;
  const pages = await tx
    .select({ fileId, page, width, height, text, warning })
    .from(pageImages)
    .where(tx.isOneOf(fileId, ids))
    .orderBy(asc(page));
  const turns = await turnsOf(tx, ids);
  const turnOf = (one: { fileId: number; page: number }) =>
    turns.find((turned) => turned.fileId === one.fileId && turned.page === one.page)?.turn ?? 0;
  const turned = pages.map((one) => ({ ...one, turn: turnOf(one) }));
  const placed = await stampsOn(tx, ids, { tolerance });
  return parts.map((part) => {
    const file = files.find((one) => one.id === part.fileId)!;
    const isShown = (one: { fileId: number; page: number | null }) =>
      one.fileId === part.fileId && (one.page === null || isPart(part, one.page));
    const result = rendered.find((one) => one.fileId === part.fileId);
    const own = turned.filter(isShown);
    return {
      ...{ fileId: part.fileId, firstPage: part.firstPage, lastPage: part.lastPage },
      name: showsNames ? file.name : null,
      rendered: result ? shownAs(result, own) : null,
      stamps: placed.filter(isShown),
    };
  });
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
        ...{ page, width, height, turn },
        ...(text && { text }),
        ...(warning && { warning }),
      }),
    ),
  };
}

/** The pages that a link opens: of its learners' work, of no learner, and of the paper. */
async function openParts(
  tx: Tx,
  { link, assessmentId }: { link: MarkingLink; assessmentId: number },
  fileId: number,
): Promise<{ isNobodys: boolean; mine: (WorkFile & { learnerId: number })[]; others: number }> {
  const paper = await paperFiles(tx, assessmentId);
  const isPaper = paper.some((one) => one.fileId === fileId);
  const { submissionId: learnerId, firstPage, lastPage } = submissionFiles;
  const parts = await tx
    .select({ fileId: submissionFiles.fileId, learnerId, firstPage, lastPage })
    .from(submissionFiles)
    .innerJoin(submissions, eq(submissions.id, learnerId))
    .where(and(eq(submissions.assessmentId, assessmentId), eq(submissionFiles.fileId, fileId)));
  const mine = parts.filter((part) => opensLearner(link, part.learnerId));
  return {
    isNobodys: isPaper || (await opensAsProblem(tx, { link, assessmentId }, fileId)),
    mine,
    others: parts.length - mine.length,
  };
}

/** The picture of a page as WebP; undefined if there is none, or the link does not open it. */
export async function findPage(
  tx: Tx,
  token: string,
  { fileId, page }: { fileId: number; page: number },
  now: Date,
): Promise<Buffer | undefined> {
  const found = await openLinkOf(tx, token, now);
  if (!found) return undefined;
  const { isNobodys, mine } = await openParts(tx, found, fileId);
  if (!isNobodys && !mine.some((part) => isPart(part, page))) return undefined;
  return await pictureOf(tx, fileId, page);
}

/**
 * An original file, which the audit records; undefined if the link does not open all of it. Without names, it
 * is called by the learner's number.
 */
export async function openOriginal(
  tx: Tx,
  token: string,
  fileId: number,
  now: Date,
): Promise<{ name: string; mediaType: string; bytes: Buffer } | undefined> {
  const found = await openLinkOf(tx, token, now);
  if (!found) return undefined;
  const { isNobodys, mine, others } = await openParts(tx, found, fileId);
  if (!isNobodys && (mine.length === 0 || others > 0)) return undefined;
  const { name, mediaType } = uploadedFiles;
  const [file] = await tx
    .select({ name, mediaType })
    .from(uploadedFiles)
    .where(eq(uploadedFiles.id, fileId));
  const bytes = await tx.selectBytes(fileId);
  if (!file || !bytes) return undefined;
  await openAudit(tx, "original opened", now, found.link.reference);
  if (isNobodys || found.link.showsNames) return { ...file, bytes };
  const rows = await submissionRows(tx, found.assessmentId);
  const number = rows.find(({ id }) => id === mine[0]!.learnerId)?.learnerNumber;
  return { ...file, name: `learner ${number}${/\.\w+$/.exec(file.name)?.[0] ?? ""}`, bytes };
}
