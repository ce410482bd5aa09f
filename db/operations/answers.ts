/** One answer of a class under a link: showing it, deciding it, and finding the next one. */
import { and, desc, eq, gt, isNotNull, lte, ne, or, sql } from "drizzle-orm";
import { controls } from "../../app/domain/characters.ts";
import {
  decisionFields,
  decisionTexts,
  type LinkRejection,
  type NewDecision,
  nothingElse,
  type TypedDecision,
} from "../../app/domain/decision.ts";
import {
  type AnswerKey,
  type AnswerOutcome,
  type DeskAnswer,
  type DeskHead,
  type DeskLink,
  type MarkDraft,
  type MarkingOrder,
  type NextAnswer,
  type NextFrom,
  opensLearner,
  opensQuestion,
  type RestOutcome,
  type SavedAnswer,
} from "../../app/domain/desk.ts";
import type { QuestionMark, SecondMark } from "../../app/domain/result.ts";
import { answersIn, type ClassStates, isSameAnswer } from "../../app/results/answer-states.ts";
import { checkDecision, givenFields } from "../../app/results/apply-decision.ts";
import { typedBefore } from "../../app/results/decision-form.ts";
import { inDeskOrder } from "../../app/results/learner-order.ts";
import { shownMark, viewerOf } from "../../app/results/shown-mark.ts";
import { maxTyped } from "../../app/results/typed-decision.ts";
import { pick, type Tx } from "../operation.ts";
import {
  decisions,
  markDrafts,
  markingLinks,
  openAnswers,
  resultLinks,
  submissions,
} from "../schema.ts";
import { findScriptsReady } from "./class-jobs.ts";
import { marksColumns, type StoredSubmission, signatureOf, submissionRow } from "./class-rows.ts";
import {
  type AgreedRest,
  agreeOn,
  type DecidedAnswer,
  decideOn,
  type LinkOwner,
  markOn,
  type StoredAnswer,
  storeDecision,
} from "./decisions.ts";
import { titleOf } from "./desk.ts";
import { isPrepared } from "./desk-class.ts";
import {
  type Closed,
  deskOf,
  isOwn,
  type OpenedDesk,
  openDesk,
  type PersonAtDesk,
  wholeClass,
} from "./desk-links.ts";
import { leadQuestionsOf } from "./lead-questions.ts";
import { livePoints, withSeenPoints } from "./memo-points.ts";
import { workOf } from "./page-images.ts";
import { questionRows } from "./questions.ts";
import { isOpen } from "./result-links.ts";
import { countProblems } from "./scans.ts";

/** How long an answer that a person has opened is not offered to others as the next one. */
const openMs = 5 * 60 * 1000;
const minuteMs = 60 * 1000;

/** One answer as a link shows it, or why the link does not open it. */
export async function findAnswer(
  tx: Tx,
  token: string,
  { order, saved, ...key }: AnswerKey & { order: MarkingOrder; saved?: AnswerKey | null },
  now: Date,
): Promise<DeskAnswer | Closed | { state: "missing" }> {
  const opened = await deskOf(tx, token, now);
  if ("state" in opened) return opened;
  const { assessmentId, link } = opened;
  const row = await openedRow(tx, opened, key.learnerId);
  if (row && !isPrepared([row])) return { state: "unprepared" };
  const paper = await questionRows(tx, assessmentId);
  const found = paper.find(({ questionNumber }) => questionNumber === key.questionNumber);
  const mark = row && markOn(row, key.questionNumber);
  if (!row || !found || !mark || !opensQuestion(link, key.questionNumber)) {
    return { state: "missing" };
  }
  const points = await livePoints(tx, assessmentId, key.questionNumber);
  const show = (one: QuestionMark) => shownMark(one, viewerOf(link, row.isBlind));
  const states = await statesOf(tx, opened, paper);
  const { reported } = states;
  const all = answersIn(states, order);
  const draft = (await draftsOf(tx, opened, key))[0];
  return {
    head: await headOf(tx, opened, states),
    learner: shownLearner(row, link, reported),
    question: { ...found, ...(points.length > 0 && { memoPoints: points }) },
    mark: show(mark),
    work: await workOf(tx, row, link),
    ...(draft && { draft }),
    asked: (await leadQuestionsOf(tx, opened.markingLinkId, key))[0] ?? null,
    ...(await whoHasOpen(tx, opened, key, now)),
    usedComments: await usedComments(tx, opened, key.questionNumber),
    learnerMarks: link.isEducators ? row.questionMarks.map(show) : [],
    ...all.beside(key),
    saved: saved ? await savedAnswer(tx, opened, saved, reported) : null,
  };
}

/** Who else has an answer open, and whether this link has opened it, or fetched it ahead, within a minute. */
async function whoHasOpen(
  tx: Tx,
  opened: OpenedDesk,
  key: AnswerKey,
  now: Date,
): Promise<Pick<DeskAnswer, "elsewhere" | "isOpened">> {
  const opens = (await openIn(tx, opened, now)).filter((one) => isSameAnswer(one, key));
  const minuteAgo = new Date(now.getTime() - minuteMs).toISOString();
  return {
    elsewhere: opens
      .filter(({ isOwnLink, isAhead }) => !isOwnLink && !isAhead)
      .map(({ marker }) => marker),
    isOpened: opens.some(({ isOwnLink, openedAt }) => isOwnLink && openedAt > minuteAgo),
  };
}

/** The row of a learner; undefined if the class has no such learner, or the link does not open the learner. */
const openedRow = async (tx: Tx, { assessmentId, link }: OpenedDesk, learnerId: number) =>
  opensLearner(link, learnerId) ? await submissionRow(tx, assessmentId, learnerId) : undefined;

/** What is shown above every page of the desk that a link opens, or why it opens none. */
export async function findDeskHead(tx: Tx, token: string, now: Date): Promise<DeskHead | Closed> {
  const opened = await deskOf(tx, token, now);
  if ("state" in opened) return opened;
  const states = await statesOf(tx, opened, await questionRows(tx, opened.assessmentId));
  if (!states.isPrepared) return { state: "unprepared" };
  return await headOf(tx, opened, states);
}

async function headOf(tx: Tx, opened: OpenedDesk, states: ClassStates): Promise<DeskHead> {
  const { assessmentId, link } = opened;
  const signed = await signatureOf(tx, assessmentId);
  return {
    link,
    title: await titleOf(tx, assessmentId),
    progress: answersIn(states, "question").progress(),
    questionCount: states.questions.length,
    problems: await countProblems(tx, opened),
    scriptsReady: await findScriptsReady(tx, assessmentId),
    ...(signed && { signed }),
  };
}

const shownLearner = (
  { id, learnerNumber, studentName, noGrade }: StoredSubmission,
  { showsNames }: DeskLink,
  reported: ReadonlyMap<number, string>,
): DeskAnswer["learner"] => ({
  id,
  number: learnerNumber!,
  name: showsNames ? studentName : null,
  ...(noGrade && { noGrade }),
  ...reportOf(reported, id),
});

/** The name of the marker who reported a learner absent, as a field; no field without such a report. */
export function reportOf(reported: ReadonlyMap<number, string>, id: number) {
  const by = reported.get(id);
  return by === undefined ? {} : { absenceReportedBy: by };
}

async function savedAnswer(
  tx: Tx,
  opened: OpenedDesk,
  { learnerId, questionNumber }: AnswerKey,
  reported: ReadonlyMap<number, string>,
): Promise<SavedAnswer | null> {
  const { link } = opened;
  if (!opensQuestion(link, questionNumber)) return null;
  const row = await openedRow(tx, opened, learnerId);
  const mark = row && markOn(row, questionNumber);
  if (!row || !mark) return null;
  return {
    learner: shownLearner(row, link, reported),
    mark: shownMark(mark, viewerOf(link, row.isBlind)),
  };
}

/** Maximum number of comments that are offered beside an answer. */
const maxComments = 10;

/** Comments given on a question to the link's learners. The comment that most learners got comes first. */
async function usedComments(
  tx: Tx,
  { assessmentId, link }: OpenedDesk,
  questionNumber: string,
): Promise<string[]> {
  const { comment, how } = decisions;
  const rows = await tx
    .select({ comment })
    .from(submissions)
    .innerJoin(decisions, eq(decisions.submissionId, submissions.id))
    .where(
      and(
        eq(submissions.assessmentId, assessmentId),
        link.learners ? tx.isOneOf(submissions.id, link.learners) : undefined,
        eq(decisions.questionNumber, questionNumber),
        isNotNull(comment),
        link.tolerance === null ? ne(how, "second") : eq(how, "second"),
      ),
    )
    .groupBy(comment)
    .orderBy(desc(sql`count(distinct ${decisions.submissionId})`), comment)
    .limit(maxComments);
  return rows.map((row) => row.comment!);
}

/** How many answers a class has, and how many are decided. */
export async function progressOfClass(tx: Tx, assessmentId: number): Promise<DeskHead["progress"]> {
  const paper = await questionRows(tx, assessmentId);
  const states = await statesOf(tx, { assessmentId, link: wholeClass }, paper);
  return answersIn(states, "question").progress();
}

interface Opened {
  assessmentId: number;
  link: Pick<DeskLink, "learners" | "questions" | "tolerance" | "showsNames">;
}

/** The states of the answers that a link opens, and whether the desk of the class is prepared. */
export async function statesOf(
  tx: Tx,
  { assessmentId, link }: Opened,
  paper: readonly { questionNumber: string }[],
): Promise<ClassStates & { isPrepared: boolean }> {
  const rows = await tx
    .select({
      ...pick(submissions, "id", "noGrade", "answerStates", "learnerNumber", "studentName"),
      reportedBy: markingLinks.markerName,
    })
    .from(submissions)
    .leftJoin(markingLinks, eq(markingLinks.id, submissions.absenceReportedBy))
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(submissions.id);
  const ids = link.learners && new Set(link.learners);
  const opened = rows.filter((row) => ids === null || ids.has(row.id));
  return {
    learners: inDeskOrder(opened, link).map((row) => ({
      id: row.id,
      hasGrade: row.noGrade === null,
      states: row.answerStates,
    })),
    reported: new Map(
      rows.flatMap((row) => (row.reportedBy === null ? [] : [[row.id, row.reportedBy]])),
    ),
    questions: paper
      .map(({ questionNumber }, place) => ({ questionNumber, place }))
      .filter(({ questionNumber }) => opensQuestion(link, questionNumber)),
    isSecond: link.tolerance !== null,
    isPrepared: isPrepared(rows),
  };
}

/** Answers of a class that others have had open, or have fetched ahead, within five minutes; the newest last. */
export async function answersElsewhere(tx: Tx, opened: OpenedDesk, now: Date) {
  return (await openIn(tx, opened, now))
    .filter(({ isOwnLink }) => !isOwnLink)
    .map(({ isOwnLink: _, openedAt: __, ...answer }) => answer);
}

/** The answers of a class that any link, this one too, has had open or has fetched ahead within five minutes. */
async function openIn(
  tx: Tx,
  { assessmentId, markingLinkId, resultLinkId }: OpenedDesk,
  now: Date,
) {
  const { submissionId: learnerId, questionNumber, openedAt, isAhead } = openAnswers;
  const rows = await tx
    .select({
      learnerId,
      questionNumber,
      isAhead,
      openedAt,
      marker: sql<string>`coalesce(${markingLinks.markerName}, ${resultLinks.senderName}, 'the educator')`,
      links: { markingLinkId: markingLinks.id, resultLinkId: resultLinks.id },
    })
    .from(openAnswers)
    .leftJoin(markingLinks, eq(markingLinks.id, openAnswers.markingLinkId))
    .leftJoin(resultLinks, eq(resultLinks.id, openAnswers.resultLinkId))
    .where(
      and(
        gt(openedAt, new Date(now.getTime() - openMs).toISOString()),
        or(
          and(eq(markingLinks.assessmentId, assessmentId), isOpen(markingLinks, now)),
          and(eq(resultLinks.assessmentId, assessmentId), isOpen(resultLinks, now)),
        ),
      ),
    )
    .orderBy(openedAt, openAnswers.id);
  return rows.map(({ links, ...row }) => ({
    ...row,
    isOwnLink: links.markingLinkId === markingLinkId && links.resultLinkId === resultLinkId,
  }));
}

/** All drafts of a link, or its draft of one answer. */
export async function draftsOf(tx: Tx, opened: OpenedDesk, key?: AnswerKey): Promise<MarkDraft[]> {
  return await tx
    .select({
      learnerId: markDrafts.submissionId,
      notAnswered: markDrafts.isNotAnswered,
      withoutReason: markDrafts.withoutReason,
      ...pick(markDrafts, "questionNumber", "marks", "ticks", "stampText", "askText"),
      // A name in `decisionTexts` that is no column of this table is a type error.
      ...pick(markDrafts, ...decisionTexts),
    })
    .from(markDrafts)
    .where(key ? isAnswerIn(markDrafts, opened, key) : isOwn(markDrafts, opened));
}

/** Stores a decision, and takes the next answer. Deletes the link's draft of the answer. */
export async function decideAnswer(
  tx: Tx,
  token: string,
  { order, ahead, learnerId, ...decision }: NewDecision & Omit<NextFrom, "after">,
  now: Date,
): Promise<AnswerOutcome> {
  const key = { learnerId, questionNumber: decision.seen.questionNumber };
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return opened;
  const { person } = opened;
  const { tolerance } = person.link;
  const outcome =
    tolerance === null
      ? await decideOn(tx, person, opened, decision, now)
      : await markSecond(tx, person, opened, { ...decision, tolerance }, now);
  if (outcome.outcome !== "stored") return outcome;
  await forget(tx, person, key);
  return { ...outcome, next: await takeNext(tx, person, { order, after: key, ahead }, now) };
}

/** Agrees, under an educator's link, with the proposals that the educator saw, and takes the next answer. */
export async function agreeWithRest(
  tx: Tx,
  token: string,
  { order, seen, reason, ...key }: AnswerKey & { order: MarkingOrder } & AgreedRest,
  now: Date,
): Promise<RestOutcome> {
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return opened;
  const { person, row } = opened;
  if (!person.link.isEducators) return { outcome: "limited link" };
  if (!seen.every((one) => markOn(row, one.questionNumber))) return { outcome: "no question" };
  const outcome = await agreeOn(tx, person, row, { seen, reason }, now);
  if (outcome.outcome !== "stored") return outcome;
  return { ...outcome, next: await takeNext(tx, person, { order, after: key }, now) };
}

/** Deletes a link's draft of an answer, and the record that the link has it open. */
async function forget(tx: Tx, owner: LinkOwner, key: AnswerKey): Promise<void> {
  for (const table of [markDrafts, openAnswers]) {
    await tx.delete(table).where(isAnswerIn(table, owner, key));
  }
}

/** Stores a second marker's mark, which does not count. */
async function markSecond(
  tx: Tx,
  person: PersonAtDesk,
  { row, mark }: StoredAnswer,
  { seen, given: typed, tolerance }: Omit<NewDecision, "learnerId"> & { tolerance: number },
  now: Date,
): Promise<DecidedAnswer> {
  // The reason is dropped, because no learner reads what a second marker gives.
  const { reason: _, ...own } = typed;
  const checked = await withSeenPoints(tx, person.assessmentId, mark, { seen, given: own });
  if ("outcome" in checked) return checked;
  const { given } = checked;
  const { marks } = given;
  const { totalMarks } = mark;
  if ((marks ?? 0) > totalMarks) return { outcome: "too many", totalMarks };
  const viewer = { isBlind: row.isBlind, isSecond: true };
  const shown = shownMark(mark, viewer);
  const state = checkDecision(shown, checked);
  // A changed memo changes the second mark but not its decision's id (`redecideSecond`), so compare the marks too.
  const isOld = mark.second && seen.marks !== shown.marksAwarded;
  if (state === "conflict" || (state === "new" && isOld)) {
    return { outcome: "conflict", mark: shown };
  }
  if (state === "repeated") return { outcome: "stored", mark: shown };
  const from = { ...shown, marksAwarded: mark.second?.marks ?? null };
  const stored = await storeDecision(tx, person, { row, mark: from, how: "second", given }, now);
  const { id, by, at } = stored.decision;
  const second: SecondMark = {
    id,
    by,
    at,
    marks: marks ?? 0,
    tolerance,
    ...(marks === null && { notAnswered: true }),
    ...givenFields(given),
  };
  const after = { ...mark, second };
  const questionMarks = row.questionMarks.map((one) => (one === mark ? after : one));
  await tx
    .update(submissions)
    .set(marksColumns({ grade: row.grade, questionMarks }))
    .where(eq(submissions.id, row.id));
  return { outcome: "stored", mark: shownMark(after, viewer) };
}

/** Opens the desk to change an answer, and locks the assessment; otherwise returns why the link does not allow it. */
export async function openAnswerOf(
  tx: Tx,
  token: string,
  { learnerId, questionNumber }: AnswerKey,
  now: Date,
): Promise<({ person: PersonAtDesk } & StoredAnswer) | LinkRejection> {
  const person = await openDesk(tx, token, now);
  if ("outcome" in person) return person;
  const row = await openedRow(tx, person, learnerId);
  if (!row) return { outcome: "no learner" };
  const mark = opensQuestion(person.link, questionNumber) && markOn(row, questionNumber);
  return mark ? { person, row, mark } : { outcome: "no question" };
}

const isAnswerIn = (
  table: typeof markDrafts | typeof openAnswers,
  owner: LinkOwner,
  { learnerId, questionNumber }: AnswerKey,
) =>
  and(
    isOwn(table, owner),
    eq(table.submissionId, learnerId),
    eq(table.questionNumber, questionNumber),
  );

/** The columns that identify a row: its link and its answer. */
const uniqueIn = (table: typeof markDrafts | typeof openAnswers, { markingLinkId }: LinkOwner) => [
  markingLinkId === null ? table.resultLinkId : table.markingLinkId,
  table.submissionId,
  table.questionNumber,
];

/**
 * Stores a draft in place of the link's earlier draft of the answer. If every field is empty or as the decision has it,
 * deletes the earlier draft and stores none.
 */
export async function saveMarkDraft(
  tx: Tx,
  token: string,
  { learnerId, questionNumber, stampText, askText, ...typed }: MarkDraft,
  now: Date,
): Promise<{ outcome: "stored" } | LinkRejection> {
  const key = { learnerId, questionNumber };
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return opened;
  const { person, row, mark } = opened;
  const decided = typedBefore(shownMark(mark, viewerOf(person.link, row.isBlind)));
  const isDecided = decisionFields.every((name) => typed[name] === decided[name]);
  const { notAnswered, withoutReason, ...texts } = isDecided ? nothingTyped : typed;
  const values = {
    ...plainTexts({ ...texts, stampText, askText }),
    isNotAnswered: notAnswered,
    withoutReason,
  };
  if (Object.values(values).every((value) => !value)) {
    await tx.delete(markDrafts).where(isAnswerIn(markDrafts, person, key));
    return { outcome: "stored" };
  }
  const { markingLinkId, resultLinkId } = person;
  const set = { ...values, updatedAt: now.toISOString() };
  await tx
    .insert(markDrafts)
    .values({ markingLinkId, resultLinkId, submissionId: learnerId, questionNumber, ...set })
    .onConflictDoUpdate({ target: uniqueIn(markDrafts, person), set });
  return { outcome: "stored" };
}

const { points: _, ...noTexts } = nothingElse;
const nothingTyped: TypedDecision = {
  ...noTexts,
  marks: "",
  ticks: "",
  notAnswered: false,
  withoutReason: false,
};

const plainTexts = <Texts extends Record<string, string>>(texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, plain(text)])) as Texts;

/** Makes a typed text one line of at most `maxTyped` characters that both engines can store. */
const plain = (typed: string) =>
  typed.replace(controls, " ").trim().slice(0, maxTyped).toWellFormed();

/** Records that a link has an answer open. Returns false if the link does not open it, or the marks are signed. */
export async function openAnswer(
  tx: Tx,
  token: string,
  key: AnswerKey,
  now: Date,
): Promise<boolean> {
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return false;
  await recordOpen(tx, opened.person, key, now);
  return true;
}

/**
 * Records that a link has an answer open, or has fetched it ahead. An answer that is open already stays recorded as
 * open. Deletes the link's records that have expired.
 */
async function recordOpen(
  tx: Tx,
  owner: LinkOwner,
  { learnerId, questionNumber, isAhead = false }: AnswerKey & { isAhead?: boolean },
  now: Date,
): Promise<void> {
  const { markingLinkId, resultLinkId } = owner;
  const openedAt = now.toISOString();
  const opened = { markingLinkId, resultLinkId, submissionId: learnerId, questionNumber };
  await tx
    .insert(openAnswers)
    .values({ ...opened, openedAt, isAhead })
    .onConflictDoUpdate({
      target: uniqueIn(openAnswers, owner),
      set: isAhead ? { openedAt } : { openedAt, isAhead },
    });
  const old = new Date(now.getTime() - openMs).toISOString();
  await tx
    .delete(openAnswers)
    .where(and(isOwn(openAnswers, owner), lte(openAnswers.openedAt, old)));
}

/**
 * Returns the next undecided answer after a given one. The order begins again at its end. Skips learners who get no
 * grade or are reported absent, and answers that others have open. An answer that others have only fetched ahead is
 * taken if no other is left. Records that the link has the answer open, or has fetched it ahead.
 */
export async function takeNextAnswer(
  tx: Tx,
  token: string,
  from: NextFrom,
  now: Date,
): Promise<NextAnswer> {
  const person = await openDesk(tx, token, now);
  return "outcome" in person ? person : await takeNext(tx, person, from, now);
}

async function takeNext(
  tx: Tx,
  person: PersonAtDesk,
  { order, after, ahead }: NextFrom,
  now: Date,
): Promise<NextAnswer> {
  const paper = await questionRows(tx, person.assessmentId);
  const all = answersIn(await statesOf(tx, person, paper), order);
  const isAhead = ahead !== undefined;
  // Keeps the answer on the page recorded as open, unless it was decided before this fetch ahead arrived.
  if (ahead && all.isOpen(ahead.shown)) await recordOpen(tx, person, ahead.shown, now);
  const elsewhere = await answersElsewhere(tx, person, now);
  const next = all.next(ahead?.last ?? after, elsewhere, { isAhead });
  if (next.outcome === "answer") {
    const { learnerId, questionNumber } = next;
    await recordOpen(tx, person, { learnerId, questionNumber, isAhead }, now);
  }
  return next;
}
