/** Stamps on the pages and paragraphs of submissions, and how pages are turned. */
import { and, asc, eq, getTableColumns, isNotNull, isNull } from "drizzle-orm";
import {
  type AnswerKey,
  type DeskLink,
  opensQuestion,
  type StampOutcome,
  type WorkFile,
} from "../../app/domain/desk.ts";
import type { NewStamp, PageTurn, Stamp, TurnedPage } from "../../app/domain/stamp.ts";
import type { Tx } from "../operation.ts";
import { markingLinks, pageImages, pageTurns, renderedFiles, stamps } from "../schema.ts";
import { openAnswerOf } from "./answers.ts";
import { hasPage, ownFilesOf, ownPagesOf } from "./desk-class.ts";

/** Maximum number of stamps on a learner's work in one file: far more than a person places. */
const maxStamps = 500;

/** Places a stamp on a learner's work. An equal stamp under the same link is placed once. */
export async function placeStamp(
  tx: Tx,
  token: string,
  answer: AnswerKey,
  stamp: NewStamp,
  now: Date,
): Promise<StampOutcome> {
  const opened = await openAnswerOf(tx, token, answer, now);
  if ("outcome" in opened) return opened;
  const parts = await ownFilesOf(tx, opened.row);
  if (!(await hasPlace(tx, parts, stamp))) return { outcome: "no place" };
  const { markingLinkId, resultLinkId } = opened.person;
  const { questionNumber } = answer;
  const values = { ...stamp, questionNumber, markingLinkId, resultLinkId };
  const rows = await tx.select().from(stamps).where(eq(stamps.fileId, stamp.fileId));
  const names = Object.keys(values) as (keyof typeof values)[];
  if (rows.some((row) => names.every((name) => row[name] === values[name]))) {
    return { outcome: "stored" };
  }
  if (rows.filter((row) => isOn(parts, row)).length >= maxStamps) {
    return { outcome: "too many stamps", max: maxStamps };
  }
  await tx.insert(stamps).values({ ...values, createdAt: now.toISOString() });
  return { outcome: "stored" };
}

/** Whether a page or a paragraph is on one of these parts of files. */
const isOn = (parts: readonly WorkFile[], { fileId, page }: Pick<Stamp, "fileId" | "page">) =>
  parts.some((part) => part.fileId === fileId && (page === null || hasPage(part, page)));

/** Removes a stamp that the link shows on a learner's work. Removing it again changes nothing. */
export async function removeStamp(
  tx: Tx,
  token: string,
  answer: AnswerKey,
  stampId: number,
  now: Date,
): Promise<StampOutcome> {
  const opened = await openAnswerOf(tx, token, answer, now);
  if ("outcome" in opened) return opened;
  const { person, row } = opened;
  const parts = await ownFilesOf(tx, row);
  const fileIds = parts.map(({ fileId }) => fileId);
  const stamp = (await stampsOn(tx, fileIds, person.link)).find(({ id }) => id === stampId);
  if (!stamp || !isOn(parts, stamp)) return { outcome: "stored" };
  if (!opensQuestion(person.link, stamp.questionNumber)) return { outcome: "no question" };
  await tx.delete(stamps).where(eq(stamps.id, stampId));
  // The stamp's text is personal data: a comment on a learner's work.
  if (stamp.text !== "") tx.scrubAfterCommit();
  return { outcome: "stored" };
}

/** Turns a page of a learner's work, or all pages of the work by the same angle, for every reader. */
export async function turnPage(
  tx: Tx,
  token: string,
  answer: AnswerKey,
  { fileId, page, turn, turnsAll }: TurnedPage,
  now: Date,
): Promise<StampOutcome> {
  const opened = await openAnswerOf(tx, token, answer, now);
  if ("outcome" in opened) return opened;
  const place = { fileId, page, paragraph: null };
  const parts = await ownFilesOf(tx, opened.row);
  if (!(await hasPlace(tx, parts, place))) return { outcome: "no place" };
  if (!turnsAll) {
    await storeTurns(tx, [{ fileId, page, turn }]);
    return { outcome: "stored" };
  }
  const pages = (await ownPagesOf(tx, opened.row)).map((one) => ({
    fileId: one.part.fileId,
    page: one.page,
  }));
  const turnOf = await turnsOf(tx, [...new Set(pages.map((one) => one.fileId))]);
  // The angle is relative to the stored turn, so that a repeated post turns nothing.
  const angle = turn - turnOf(place) + 360;
  const turned = pages.map((one) => ({
    ...one,
    turn: ((turnOf(one) + angle) % 360) as PageTurn,
  }));
  await storeTurns(tx, turned);
  return { outcome: "stored" };
}

/** Stores by how much pages are turned, in place of earlier turns; 0 is stored as no row. */
export async function storeTurns(
  tx: Tx,
  turned: { fileId: number; page: number; turn: PageTurn }[],
): Promise<void> {
  for (const { fileId, page, turn } of turned) {
    await tx.delete(pageTurns).where(and(eq(pageTurns.fileId, fileId), eq(pageTurns.page, page)));
    if (turn !== 0) await tx.insert(pageTurns).values({ fileId, page, turn });
  }
}

/** Whether these parts of files have a page or a paragraph, as they were rendered. */
async function hasPlace(
  tx: Tx,
  parts: readonly WorkFile[],
  { fileId, page, paragraph }: Pick<NewStamp, "fileId" | "page" | "paragraph">,
): Promise<boolean> {
  if (!isOn(parts, { fileId, page })) return false;
  if (page === null) {
    const [rendered] = await tx
      .select({ paragraphs: renderedFiles.paragraphs })
      .from(renderedFiles)
      .where(eq(renderedFiles.fileId, fileId));
    return rendered?.paragraphs?.[(paragraph ?? 0) - 1] !== undefined;
  }
  const [image] = await tx
    .select({ id: pageImages.id })
    .from(pageImages)
    .where(and(eq(pageImages.fileId, fileId), eq(pageImages.page, page)));
  return image !== undefined;
}

/**
 * The stamps that a link shows on files, in the order in which they were placed. A second marker's link shows stamps of
 * second markers only; other links show all other stamps.
 */
export async function stampsOn(
  tx: Tx,
  fileIds: number[],
  { tolerance }: Pick<DeskLink, "tolerance">,
): Promise<Stamp[]> {
  const { markingLinkId, resultLinkId: _, createdAt: __, ...columns } = getTableColumns(stamps);
  const isOfKind =
    tolerance === null ? isNull(markingLinks.tolerance) : isNotNull(markingLinks.tolerance);
  return await tx
    .select(columns)
    .from(stamps)
    .leftJoin(markingLinks, eq(markingLinks.id, markingLinkId))
    .where(and(tx.isOneOf(columns.fileId, fileIds), isOfKind))
    .orderBy(asc(columns.id));
}

/** Returns a function that returns by how many degrees a page of these files is turned. */
export async function turnsOf(
  tx: Tx,
  fileIds: number[],
): Promise<(page: { fileId: number; page: number }) => PageTurn> {
  const rows = await tx.select().from(pageTurns).where(tx.isOneOf(pageTurns.fileId, fileIds));
  const keyOf = ({ fileId, page }: { fileId: number; page: number }) => `${fileId} ${page}`;
  const turns = new Map(rows.map((row) => [keyOf(row), row.turn as PageTurn]));
  return (page) => turns.get(keyOf(page)) ?? 0;
}
