/** Who the learners of a class are, and whose work is whose. */
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import {
  type DeskLink,
  type LearnerChange,
  type LearnerOutcome,
  type NewLearner,
  opensLearner,
  type WorkFile,
} from "../../app/domain/desk.ts";
import { withoutExtension } from "../../app/domain/file-name.ts";
import type { NoGrade } from "../../app/domain/result.ts";
import { withMarks } from "../../app/results/apply-decision.ts";
import { isDecided } from "../../app/results/class-report.ts";
import { marksOn } from "../../app/results/paper.ts";
import { countRows, pick, type Tx } from "../operation.ts";
import { leadQuestions, markDrafts, submissionFiles, submissions } from "../schema.ts";
import {
  learnerRows,
  marksColumns,
  type StoredSubmission,
  storeSummary,
  submissionRow,
} from "./class-rows.ts";
import { freeNumber, ownFilesOf, ownPagesOf } from "./desk-class.ts";
import { openDesk, wholeClassRejection } from "./desk-links.ts";
import { questionRows } from "./questions.ts";

/**
 * Changes the learners of a class. A link to only some questions may only report a learner without work as absent. A
 * link to only some learners may only say that one of them gets no grade. An educator's link may change nothing.
 */
export async function changeLearners(
  tx: Tx,
  token: string,
  change: LearnerChange,
  now: Date,
): Promise<LearnerOutcome> {
  const desk = await openDesk(tx, token, now);
  if ("outcome" in desk) return desk;
  const { assessmentId, link } = desk;
  const rejected = wholeClassRejection(link);
  if (rejected && change.change === "absent" && mayReport(link, change)) {
    return await reportAbsent(tx, assessmentId, change.learnerId, desk.markingLinkId);
  }
  if (rejected && !maySetNoGrade(link, change)) return rejected;
  const outcome = await perform(tx, assessmentId, change);
  if (outcome.outcome === "stored") await summarise(tx, assessmentId);
  return outcome;
}

const mayReport = (link: DeskLink, { learnerId }: { learnerId: number }) =>
  link.questions !== null && opensLearner(link, learnerId);

const maySetNoGrade = (link: DeskLink, change: LearnerChange) =>
  (change.change === "no grade" || change.change === "absent") &&
  !link.isEducators &&
  link.questions === null &&
  opensLearner(link, change.learnerId);

/** Stores the summary of a class, unless it has no questions or no learners yet. */
export async function summarise(tx: Tx, assessmentId: number): Promise<void> {
  const { id, answerStates } = submissions;
  const [first] = await tx
    .select({ answerStates })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(id))
    .limit(1);
  if (!first?.answerStates) return;
  await storeSummary(tx, assessmentId, { isMarked: false });
}

function perform(tx: Tx, assessmentId: number, change: LearnerChange): Promise<LearnerOutcome> {
  if (change.change === "add") return add(tx, assessmentId, change.learner);
  if (change.change === "join") return join(tx, assessmentId, change);
  if (change.change === "divide") return divide(tx, assessmentId, change);
  if (change.change === "absent") return setAbsent(tx, assessmentId, change.learnerId);
  return setNoGrade(tx, assessmentId, change);
}

/** Why a learner cannot be reported or set absent; undefined if nothing prevents it. */
async function absenceRejection(
  tx: Tx,
  assessmentId: number,
  learnerId: number,
): Promise<LearnerOutcome | undefined> {
  const row = await submissionRow(tx, assessmentId, learnerId);
  if (!row) return { outcome: "no learner" };
  if ((await ownFilesOf(tx, row)).length > 0) return { outcome: "has work" };
  return hasDecision(row) ? { outcome: "has marks" } : undefined;
}

/** Records that the marker of a link reports a learner absent. */
async function reportAbsent(
  tx: Tx,
  assessmentId: number,
  learnerId: number,
  absenceReportedBy: number | null,
): Promise<LearnerOutcome> {
  const rejected = await absenceRejection(tx, assessmentId, learnerId);
  if (rejected) return rejected;
  await tx.update(submissions).set({ absenceReportedBy }).where(eq(submissions.id, learnerId));
  return { outcome: "stored", learnerId };
}

const setAbsent = async (
  tx: Tx,
  assessmentId: number,
  learnerId: number,
): Promise<LearnerOutcome> =>
  (await absenceRejection(tx, assessmentId, learnerId)) ??
  (await setNoGrade(tx, assessmentId, { learnerId, noGrade: "absent" }));

async function setNoGrade(
  tx: Tx,
  assessmentId: number,
  { learnerId, noGrade }: { learnerId: number; noGrade: NoGrade | null },
): Promise<LearnerOutcome> {
  const row = await submissionRow(tx, assessmentId, learnerId);
  if (!row) return { outcome: "no learner" };
  const { noGrade: _, ...rest } = row;
  const after = withMarks({ ...rest, ...(noGrade && { noGrade }) }, row.questionMarks);
  await tx
    .update(submissions)
    .set({ noGrade, grade: after.grade, absenceReportedBy: null })
    .where(eq(submissions.id, learnerId));
  return { outcome: "stored", learnerId };
}

async function add(tx: Tx, assessmentId: number, learner: NewLearner): Promise<LearnerOutcome> {
  const isTaken = and(
    eq(submissions.assessmentId, assessmentId),
    eq(submissions.learnerNumber, learner.number),
  );
  if ((await countRows(tx, submissions, isTaken)) > 0) return { outcome: "number taken" };
  const columns = { learnerNumber: learner.number, studentName: learner.name };
  return { outcome: "stored", learnerId: await insertLearner(tx, assessmentId, columns) };
}

/** Adds a learner without work or marks. Returns the learner’s id. */
export async function insertLearner(
  tx: Tx,
  assessmentId: number,
  learner: { learnerNumber: string; studentName: string; isNumberListed?: true },
): Promise<number> {
  const paper = await questionRows(tx, assessmentId);
  const [added] = await tx
    .insert(submissions)
    .values({
      assessmentId,
      ...learner,
      fileName: noFile(learner.learnerNumber),
      ...marksColumns({ grade: null, questionMarks: marksOn(paper, []) }),
    })
    .returning({ id: submissions.id });
  return added!.id;
}

/** Adds a learner with the smallest free number and the name of a file. Returns the learner’s id. */
export async function insertLearnerOf(
  tx: Tx,
  assessmentId: number,
  fileName: string,
): Promise<number> {
  const rows = await learnerRows(tx, assessmentId);
  const number = freeNumber(new Set(rows.map((row) => row.learnerNumber)));
  const studentName = withoutExtension(fileName);
  return await insertLearner(tx, assessmentId, { learnerNumber: number, studentName });
}

/** The text in place of a file's name, by which imports recognise a learner without work. */
export const noFile = (number: string) => `no file (${number})`;

async function join(
  tx: Tx,
  assessmentId: number,
  { learnerId, otherId }: Extract<LearnerChange, { change: "join" }>,
): Promise<LearnerOutcome> {
  const row = await submissionRow(tx, assessmentId, learnerId);
  const other = await submissionRow(tx, assessmentId, otherId);
  if (!row || !other || learnerId === otherId) return { outcome: "no learner" };
  if (hasDecision(other)) return { outcome: "decided" };
  await joinRows(tx, row, other);
  return { outcome: "stored", learnerId };
}

/**
 * Gives a learner all that another has: files, drafts, questions to the lead, and proposals on answers for which the
 * learner has neither mark nor proposal. Removes the other learner.
 * @returns the learner’s changed row
 */
export async function joinRows(
  tx: Tx,
  row: StoredSubmission,
  other: StoredSubmission,
): Promise<StoredSubmission> {
  await tx
    .update(submissionFiles)
    .set({ submissionId: row.id })
    .where(eq(submissionFiles.submissionId, other.id));
  const others = new Map(other.questionMarks.map((mark) => [mark.questionNumber, mark]));
  const marks = row.questionMarks.map((mark) =>
    mark.marksAwarded === null && !mark.second ? (others.get(mark.questionNumber) ?? mark) : mark,
  );
  const after = withMarks(row, marks);
  await tx.update(submissions).set(marksColumns(after)).where(eq(submissions.id, row.id));
  await moveNotes(tx, row.id, other.id);
  await tx.delete(submissions).where(eq(submissions.id, other.id));
  await nameFiles(tx, row);
  return after;
}

/**
 * Gives a learner the drafts and the questions to the lead about another. A link keeps one draft and one question on
 * each answer: the text of a second question without a reply is added to the first question, whose reply is deleted.
 */
async function moveNotes(tx: Tx, learnerId: number, otherId: number): Promise<void> {
  const isOfMarker = (table: typeof leadQuestions | typeof markDrafts) =>
    sql`own.marking_link_id = ${table.markingLinkId}`;
  const isOfEducator = sql`own.result_link_id = ${markDrafts.resultLinkId}`;
  for (const { table, isOfLink } of [
    { table: leadQuestions, isOfLink: isOfMarker(leadQuestions) },
    { table: markDrafts, isOfLink: sql`(${isOfMarker(markDrafts)} OR ${isOfEducator})` },
  ]) {
    const same = sql`SELECT 1 FROM ${table} AS own WHERE own.submission_id = ${learnerId}
      AND own.question_number = ${table.questionNumber} AND ${isOfLink}`;
    await tx
      .update(table)
      .set({ submissionId: learnerId })
      .where(and(eq(table.submissionId, otherId), sql`NOT EXISTS (${same})`));
  }
  const { submissionId, markingLinkId, questionNumber, text, reply } = leadQuestions;
  const asked = await tx
    .select()
    .from(leadQuestions)
    .where(and(eq(submissionId, otherId), isNull(reply)));
  for (const one of asked) {
    const isSame = and(
      eq(submissionId, learnerId),
      eq(markingLinkId, one.markingLinkId),
      eq(questionNumber, one.questionNumber),
    );
    await tx
      .update(leadQuestions)
      .set({ text: sql`${text} || ' ' || ${one.text}`, reply: null, repliedAt: null })
      .where(isSame);
  }
}

/** Whether a person has decided a mark of a learner, or given a second mark. */
export const hasDecision = ({ questionMarks }: StoredSubmission) =>
  questionMarks.some((mark) => isDecided(mark) || mark.second);

async function divide(
  tx: Tx,
  assessmentId: number,
  { learnerId, page, to }: Extract<LearnerChange, { change: "divide" }>,
): Promise<LearnerOutcome> {
  const row = await submissionRow(tx, assessmentId, learnerId);
  if (!row) return { outcome: "no learner" };
  const found = (await ownPagesOf(tx, row))[page - 1];
  if (!found || found.page === found.part.firstPage) return { outcome: "no page" };
  const { part, page: fromPage } = found;
  if (hasDecision(row)) return { outcome: "decided" };
  const target = await targetOf(tx, assessmentId, to);
  if ("outcome" in target) return target;
  await tx
    .update(submissionFiles)
    .set({ lastPage: fromPage - 1 })
    .where(eq(submissionFiles.id, part.id));
  await tx
    .insert(submissionFiles)
    .values({ ...pick(part, "fileId", "lastPage"), submissionId: target.id, firstPage: fromPage });
  for (const one of [row, target]) await nameFiles(tx, one);
  return { outcome: "stored", learnerId: target.id };
}

/** The learner who gets the divided pages, added if new; otherwise why that learner cannot get them. */
async function targetOf(
  tx: Tx,
  assessmentId: number,
  to: { learnerId: number } | NewLearner,
): Promise<{ id: number } | Exclude<LearnerOutcome, { outcome: "stored" }>> {
  if ("learnerId" in to) {
    const row = await submissionRow(tx, assessmentId, to.learnerId);
    if (!row) return { outcome: "no learner" };
    return hasDecision(row) ? { outcome: "decided" } : row;
  }
  const added = await add(tx, assessmentId, to);
  return added.outcome === "stored" ? { id: added.learnerId } : added;
}

function nameOfPart(name: string, { firstPage, lastPage }: WorkFile): string {
  if (firstPage === 1 && lastPage === null) return name;
  if (firstPage === lastPage) return `${name} (page ${firstPage})`;
  return `${name} (pages ${firstPage} to ${lastPage ?? "the last"})`;
}

/** Names a submission after its files and pages, for imports. If it has files, ends a report of absence. */
export async function nameFiles(
  tx: Tx,
  row: Pick<StoredSubmission, "id" | "learnerNumber">,
): Promise<void> {
  const parts = await ownFilesOf(tx, row);
  const names = parts.map((part) => nameOfPart(part.name, part));
  await tx
    .update(submissions)
    .set({
      // A learner without a file has a number.
      fileName: names.join(" + ") || noFile(row.learnerNumber!),
      ...(names.length > 0 && { absenceReportedBy: null }),
    })
    .where(eq(submissions.id, row.id));
}
