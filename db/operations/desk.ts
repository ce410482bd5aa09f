/** The marking desk under a link: reading it, and deciding on it. */
import { and, eq, gt, lte, ne } from "drizzle-orm";
import { controls } from "../../app/domain/characters.ts";
import type { NewDecision } from "../../app/domain/decision.ts";
import type {
  AnswerDecision,
  AnswerKey,
  AnswerOutcome,
  Desk,
  DeskLearner,
  DeskRejection,
  MarkDraft,
  MarkingLink,
  MarkingLinkState,
  MarkingOrder,
  NextAnswer,
  PaperQuestion,
} from "../../app/domain/desk.ts";
import { withoutExtension } from "../../app/domain/file-name.ts";
import type { SecondMark } from "../../app/domain/result.ts";
import { checkDecision } from "../../app/results/apply-decision.ts";
import { isDecided } from "../../app/results/class-report.ts";
import { inDeskOrder } from "../../app/results/learner-order.ts";
import { shownMark } from "../../app/results/shown-mark.ts";
import { maxTyped } from "../../app/results/typed-decision.ts";
import type { Tx } from "../operation.ts";
import { assessments, markDrafts, markingLinks, openAnswers, submissions } from "../schema.ts";
import { hashOf } from "../token.ts";
import { decideOn, storeDecision } from "./decisions.ts";
import { filesOf, uploadOf } from "./desk-class.ts";
import { type StoredSubmission, signatureOf, submissionRows } from "./imported-results.ts";
import {
  isOpenMarkingLink,
  type MarkerAtWork,
  markingLinkOf,
  openForMarker,
  opensLearner,
  opensQuestion,
} from "./marking-links.ts";
import { questionRows } from "./questions.ts";

/** How long an answer that a marker has opened is left out of what others get next. */
const openMs = 5 * 60 * 1000;

/** The desk that a link opens; otherwise why it does not. */
export async function findDesk(
  tx: Tx,
  token: string,
  now: Date,
): Promise<Desk | { state: Exclude<MarkingLinkState, "open"> }> {
  const found = await markingLinkOf(tx, token, now);
  if (!found) return { state: "unknown" };
  const { assessmentId, link } = found;
  if (link.state !== "open") return { state: link.state };
  const { title, paper, version } = await findPaper(tx, assessmentId);
  const rows = learnersOf(link, await submissionRows(tx, assessmentId));
  const files = await filesOf(tx, rows);
  const signed = await signatureOf(tx, assessmentId);
  return {
    link,
    title,
    questions: paper.filter(({ questionNumber }) => opensQuestion(link, questionNumber)),
    paperVersion: version,
    learners: rows.map((row) => toLearner(row, link, files.get(row.id) ?? [])),
    openElsewhere: (await answersElsewhere(tx, { assessmentId, linkId: link.id }, now)).filter(
      ({ learnerId, questionNumber }) =>
        opensLearner(link, learnerId) && opensQuestion(link, questionNumber),
    ),
    drafts: await draftsOf(tx, link.id),
    ...(signed && { signed }),
  };
}

/** The learners that a link opens, in the order in which it shows and deals them. */
const learnersOf = (link: MarkingLink, rows: StoredSubmission[]) =>
  inDeskOrder(
    rows.filter(({ id }) => opensLearner(link, id)),
    link,
  );

/** The title and the questions of a class, with a version that changes with them. */
export async function findPaper(
  tx: Tx,
  assessmentId: number,
): Promise<{ title: string; paper: PaperQuestion[]; version: string }> {
  const [found] = await tx
    .select({ results: assessments.results })
    .from(assessments)
    .where(eq(assessments.id, assessmentId));
  const { questionsFileName } = await uploadOf(tx, assessmentId);
  const title = found!.results?.title ?? withoutExtension(questionsFileName);
  const paper = await questionRows(tx, assessmentId);
  return { title, paper, version: versionOf(title, paper) };
}

export const versionOf = (title: string, paper: readonly PaperQuestion[]) =>
  hashOf(
    JSON.stringify([
      title,
      paper.map(({ questionNumber, totalMarks, description, memo, choice }) => [
        ...[questionNumber, totalMarks, description, memo],
        ...[choice?.group, choice?.best],
      ]),
    ]),
  );

function toLearner(
  { id, learnerNumber, studentName, fileName, noGrade, questionMarks, isBlind }: StoredSubmission,
  link: MarkingLink,
  files: DeskLearner["files"],
): DeskLearner {
  return {
    id,
    number: learnerNumber!,
    name: link.showsNames ? studentName : null,
    fileName: link.showsNames ? fileName : null,
    ...(noGrade && { noGrade }),
    files: files.map(({ fileId, firstPage, lastPage }) => ({ fileId, firstPage, lastPage })),
    marks: questionMarks
      .filter(({ questionNumber }) => opensQuestion(link, questionNumber))
      .map((mark) => shownMark(mark, viewerOf(link, isBlind))),
  };
}

const viewerOf = ({ tolerance }: MarkingLink, isBlind: boolean) => ({
  ...{ isBlind, isSecond: tolerance !== null },
});

async function answersElsewhere(
  tx: Tx,
  { assessmentId, linkId }: { assessmentId: number; linkId: number },
  now: Date,
): Promise<Desk["openElsewhere"]> {
  const { submissionId: learnerId, questionNumber, openedAt } = openAnswers;
  return await tx
    .select({ learnerId, questionNumber, marker: markingLinks.markerName })
    .from(openAnswers)
    .innerJoin(markingLinks, eq(markingLinks.id, openAnswers.markingLinkId))
    .where(
      and(
        eq(markingLinks.assessmentId, assessmentId),
        ne(markingLinks.id, linkId),
        isOpenMarkingLink(now),
        gt(openedAt, new Date(now.getTime() - openMs).toISOString()),
      ),
    );
}

async function draftsOf(tx: Tx, linkId: number): Promise<MarkDraft[]> {
  const { submissionId: learnerId, questionNumber, marks, comment } = markDrafts;
  const { isNotAnswered: notAnswered, stampText } = markDrafts;
  return await tx
    .select({ learnerId, questionNumber, marks, comment, notAnswered, stampText })
    .from(markDrafts)
    .where(eq(markDrafts.markingLinkId, linkId));
}

/** Stores a marker's decision, and the marks and averages that follow from it. Deletes the link's draft of the answer. */
export async function decideAnswer(
  tx: Tx,
  token: string,
  decision: AnswerDecision,
  now: Date,
): Promise<AnswerOutcome> {
  const { learnerId, questionNumber, seenDecisionId, seenMarks, marks, comment } = decision;
  const opened = await openAnswerOf(tx, token, decision, now);
  if ("outcome" in opened) return opened;
  const { marker, rows, row } = opened;
  const seen = { questionNumber, decisionId: seenDecisionId, marks: seenMarks };
  const isSecond = marker.link.tolerance !== null;
  const outcome = await (isSecond ? markSecond : decideOn)(
    tx,
    marker,
    { rows, row },
    { seen, marks, comment },
    now,
  );
  if (outcome.outcome === "stored") {
    const key = { learnerId, questionNumber };
    for (const table of [markDrafts, openAnswers]) {
      await tx.delete(table).where(isAnswerIn(table, marker, key));
    }
  }
  return outcome;
}

/** Stores a second marker's mark, which does not count. */
async function markSecond(
  tx: Tx,
  marker: MarkerAtWork,
  { row }: { row: StoredSubmission },
  decision: Omit<NewDecision, "learner">,
  now: Date,
): Promise<Extract<AnswerOutcome, { outcome: "stored" | "conflict" | "too many" }>> {
  const { seen, marks, comment } = decision;
  const mark = row.questionMarks.find((one) => one.questionNumber === seen.questionNumber)!;
  const { totalMarks } = mark;
  if ((marks ?? 0) > totalMarks) return { outcome: "too many", totalMarks };
  const viewer = { isBlind: row.isBlind, isSecond: true };
  const shown = shownMark(mark, viewer);
  const state = checkDecision(shown, decision);
  if (state === "conflict") return { outcome: "conflict", mark: shown };
  if (state === "repeated") return { outcome: "stored", mark: shown };
  const from = { ...shown, marksAwarded: mark.second?.marks ?? null };
  const stored = await storeDecision(
    tx,
    marker,
    { row, mark: from, how: "second", marks, comment },
    now,
  );
  const { id, by, at } = stored.decision!;
  const second: SecondMark = {
    ...{ id, by, at, marks: marks ?? 0, tolerance: marker.link.tolerance! },
    ...(marks === null && { notAnswered: true }),
    ...(comment && { comment }),
  };
  const after = { ...mark, second };
  const questionMarks = row.questionMarks.map((one) => (one === mark ? after : one));
  await tx.update(submissions).set({ questionMarks }).where(eq(submissions.id, row.id));
  return { outcome: "stored", mark: shownMark(after, viewer) };
}

type Rejected = Exclude<DeskRejection, { outcome: "limited link" }>;

/** Opens the desk for an answer that a link opens. */
export async function openAnswerOf(
  tx: Tx,
  token: string,
  { learnerId, questionNumber }: AnswerKey,
  now: Date,
): Promise<{ marker: MarkerAtWork; rows: StoredSubmission[]; row: StoredSubmission } | Rejected> {
  const marker = await openForMarker(tx, token, now);
  if ("outcome" in marker) return marker;
  const rows = await submissionRows(tx, marker.assessmentId);
  const row = rows.find(({ id }) => id === learnerId && opensLearner(marker.link, id));
  if (!row) return { outcome: "no learner" };
  const isThere = row.questionMarks.some((mark) => mark.questionNumber === questionNumber);
  if (!isThere || !opensQuestion(marker.link, questionNumber)) return { outcome: "no question" };
  return { marker, rows, row };
}

const isAnswerIn = (
  table: typeof markDrafts | typeof openAnswers,
  { link }: MarkerAtWork,
  { learnerId, questionNumber }: AnswerKey,
) =>
  and(
    eq(table.markingLinkId, link.id),
    eq(table.submissionId, learnerId),
    eq(table.questionNumber, questionNumber),
  );

/** Stores what a marker typed, in place of what the link had of the answer; empty fields delete it. */
export async function saveMarkDraft(
  tx: Tx,
  token: string,
  { learnerId, questionNumber, notAnswered, ...texts }: MarkDraft,
  now: Date,
): Promise<{ outcome: "stored" } | Rejected> {
  const key = { learnerId, questionNumber };
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return opened;
  const { marker } = opened;
  const typed = {
    marks: plain(texts.marks),
    comment: plain(texts.comment),
    stampText: plain(texts.stampText),
  };
  if (!notAnswered && Object.values(typed).every((text) => text === "")) {
    await tx.delete(markDrafts).where(isAnswerIn(markDrafts, marker, key));
    return { outcome: "stored" };
  }
  const values = { ...typed, isNotAnswered: notAnswered, updatedAt: now.toISOString() };
  const { markingLinkId, submissionId, questionNumber: number } = markDrafts;
  await tx
    .insert(markDrafts)
    .values({ markingLinkId: marker.link.id, submissionId: learnerId, questionNumber, ...values })
    .onConflictDoUpdate({ target: [markingLinkId, submissionId, number], set: values });
  return { outcome: "stored" };
}

/** One line that every engine stores. */
const plain = (typed: string) =>
  typed.replace(controls, " ").toWellFormed().trim().slice(0, maxTyped).toWellFormed();

/** Records that a marker has an answer open. Returns whether the link opens it. */
export async function openAnswer(
  tx: Tx,
  token: string,
  key: AnswerKey,
  now: Date,
): Promise<boolean> {
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return false;
  await recordOpen(tx, opened.marker, key, now);
  return true;
}

async function recordOpen(
  tx: Tx,
  { link }: MarkerAtWork,
  { learnerId, questionNumber }: AnswerKey,
  now: Date,
): Promise<void> {
  const { markingLinkId, submissionId, questionNumber: number } = openAnswers;
  const openedAt = now.toISOString();
  await tx
    .insert(openAnswers)
    .values({ markingLinkId: link.id, submissionId: learnerId, questionNumber, openedAt })
    .onConflictDoUpdate({ target: [markingLinkId, submissionId, number], set: { openedAt } });
  const old = new Date(now.getTime() - openMs).toISOString();
  await tx
    .delete(openAnswers)
    .where(and(eq(markingLinkId, link.id), lte(openAnswers.openedAt, old)));
}

/**
 * The next answer that is not decided, in an order and after an answer, then from the beginning. Leaves out
 * learners without a grade and what other markers have open. Records that the marker has it open.
 */
export async function takeNextAnswer(
  tx: Tx,
  token: string,
  { order, after }: { order: MarkingOrder; after?: AnswerKey },
  now: Date,
): Promise<NextAnswer> {
  const marker = await openForMarker(tx, token, now);
  if ("outcome" in marker) return marker;
  const { link, assessmentId } = marker;
  const answers = answersInOrder(await submissionRows(tx, assessmentId), link, order);
  const elsewhere = await answersElsewhere(tx, { assessmentId, linkId: link.id }, now);
  const from = after ? answers.findIndex((answer) => isSame(answer, after)) + 1 : 0;
  const open = [...answers.slice(from), ...answers.slice(0, from)].filter(({ isOpen }) => isOpen);
  const next = open.find((answer) => !elsewhere.some((other) => isSame(answer, other)));
  if (!next) return { outcome: "none", openElsewhere: open.length };
  const { learnerId, questionNumber } = next;
  await recordOpen(tx, marker, { learnerId, questionNumber }, now);
  return { outcome: "answer", learnerId, questionNumber };
}

const isSame = (one: AnswerKey, other: AnswerKey) =>
  one.learnerId === other.learnerId && one.questionNumber === other.questionNumber;

/** All answers that a link opens. */
function answersInOrder(
  rows: StoredSubmission[],
  link: MarkingLink,
  order: MarkingOrder,
): (AnswerKey & { isOpen: boolean })[] {
  const answers = learnersOf(link, rows)
    .flatMap(({ id: learnerId, noGrade, questionMarks, isBlind }) =>
      questionMarks.map((mark, position) => ({
        ...{ learnerId, questionNumber: mark.questionNumber, position },
        isOpen: !noGrade && !isDecided(shownMark(mark, viewerOf(link, isBlind))),
      })),
    )
    .filter(({ questionNumber }) => opensQuestion(link, questionNumber));
  // Sorting is stable: learners stay in their order.
  return order === "learner"
    ? answers
    : answers.sort((one, other) => one.position - other.position);
}
