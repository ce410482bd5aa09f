import { isDeepStrictEqual } from "node:util";
import { and, asc, eq, isNotNull, max, type SQL } from "drizzle-orm";
import type { QuestionPlan } from "../../app/domain/memo-point.ts";
import type {
  ImportedQuestion,
  ImportedResults,
  ImportOutcome,
  ImportTarget,
  MarkingTarget,
} from "../../app/domain/publication.ts";
import type { MarkedSubmission, Results } from "../../app/domain/result.ts";
import { pointConflicts } from "../../app/results/changed-points.ts";
import {
  decidedIn,
  type ImportOptions,
  importedOver,
  newSubmissions,
} from "../../app/results/import-over.ts";
import { planPoints } from "../../app/results/point-plan.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  imports,
  replacedResults,
  submissions,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { type StoredResults, withMarksParsed } from "../whole-class.ts";
import {
  isOwnUpload,
  type LearnerRow,
  learnerRows,
  lockAssessment,
  marksColumns,
  type StoredSubmission,
  signatureOf,
  storedRows,
  storeSummary,
  submissionRows,
  summaryOf,
} from "./class-rows.ts";
import { addFiles, uploadOf, workFilesOf } from "./desk-class.ts";
import { namedPoints, pointRows, storePoints } from "./memo-points.ts";
import { paperOf, questionRows, storeQuestions } from "./questions.ts";

/** The work to be marked for a request; undefined if the request has no submissions. */
export async function findMarkingTarget(
  tx: Tx,
  reference: string,
): Promise<MarkingTarget | undefined> {
  const [found] = await assessmentsOf(tx, eq(contactRequests.reference, reference));
  return found;
}

/** Requests whose questions were set or imported, without tests; oldest first. */
export async function listRequestsWithQuestions(tx: Tx) {
  const hasQuestions = and(isNotNull(assessments.results), eq(contactRequests.isTest, false));
  const found = await assessmentsOf(tx, hasQuestions);
  return found.map(({ reference, assessmentId }) => ({ reference, assessmentId }));
}

/** The assessments of the requests that a condition selects, in the order of the requests. */
export async function assessmentsOf(tx: Tx, isWanted: SQL | undefined) {
  return await tx
    .select({
      reference: contactRequests.reference,
      assessmentId: assessments.id,
      status: assessments.status,
    })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, isOwnUpload)
    .where(isWanted)
    .orderBy(asc(contactRequests.id));
}

/** The marks of an assessment, published or not; undefined before questions are set or imported. */
export async function findImportedResults(
  tx: Tx,
  assessmentId: number,
): Promise<Results | undefined> {
  const stored = await findStoredResults(tx, assessmentId);
  return stored && { ...stored, submissions: stored.submissions.map(withMarksParsed) };
}

/** As `findImportedResults`, with the marks as they are stored. */
export async function findStoredResults(
  tx: Tx,
  assessmentId: number,
): Promise<StoredResults | undefined> {
  const rows = await storedRows(tx, eq(submissions.assessmentId, assessmentId));
  return await resultsWith(tx, assessmentId, rows);
}

/** The results of a class with these rows of learners; undefined before questions are set or imported. */
async function resultsWith<Row extends LearnerRow>(tx: Tx, assessmentId: number, rows: Row[]) {
  const summary = await summaryOf(tx, assessmentId);
  if (!summary) return undefined;
  const signed = await signatureOf(tx, assessmentId);
  const points = await pointRows(tx, assessmentId);
  return {
    ...summary,
    submissions: rows.map(({ id: learnerId, isBlind: _, ...row }) => ({ learnerId, ...row })),
    ...(Object.keys(points).length > 0 && { points }),
    ...(signed && { signed }),
  };
}

/** The learners that an import may be about, and the questions to which it adds. */
export async function findImportTarget(tx: Tx, assessmentId: number): Promise<ImportTarget> {
  const rows = await learnerRows(tx, assessmentId);
  if (rows.length === 0) {
    const { files } = await uploadOf(tx, assessmentId);
    const learners = files.map(({ name }) => ({ fileName: name }));
    return { title: "", learners, questions: [] };
  }
  const files = await workFilesOf(tx, rows);
  return {
    title: (await summaryOf(tx, assessmentId))?.title ?? "",
    learners: rows.map(({ id, fileName, studentName, learnerNumber, isNumberListed }) => ({
      learnerId: id,
      fileName,
      studentName,
      files: (files.get(id) ?? []).map(({ name }) => name),
      ...(isNumberListed && { learnerNumber: learnerNumber! }),
    })),
    questions: await paperBefore(tx, assessmentId),
  };
}

/** The questions of an assessment, even if its marks were imported before questions had rows. */
export async function paperBefore(tx: Tx, assessmentId: number) {
  const paper = await questionRows(tx, assessmentId);
  if (paper.length > 0) return paper;
  return paperOf((await submissionRows(tx, assessmentId))[0]?.questionMarks ?? []);
}

/**
 * Stores the imported proposals, and archives the results that they replace. Decided marks stay unless
 * `options.discardsDecisions`. With `options.seenVersion`, stores nothing and returns the preview, unless the preview
 * has this version; "" always asks for a preview.
 */
export async function importResults(
  tx: Tx,
  assessmentId: number,
  imported: ImportedResults,
  now: Date,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  await lockAssessment(tx, assessmentId);
  const rows = await submissionRows(tx, assessmentId);
  const resultsBefore = await resultsWith(tx, assessmentId, rows);
  if (resultsBefore?.signed) return { outcome: "signed", signature: resultsBefore.signed };
  const upload = await uploadOf(tx, assessmentId);
  const fileNames = upload.files.map(({ name }) => name);
  const submissionsBefore = rows.length > 0 ? rows : newSubmissions(fileNames, imported);
  const questions = await paperBefore(tx, assessmentId);
  const lastId = await lastImportId(tx, assessmentId);
  const importId = await addImport(tx, assessmentId, imported, now);
  const after = importedOver<MarkedSubmission>(
    { submissions: submissionsBefore, questions },
    imported,
    { ...options, importId },
  );
  const { counts, conflicts, questions: paper } = after;
  const memos = imported.questions.filter(({ memo }) => memo !== undefined);
  const { plans, otherPoints } = await plannedPoints(tx, assessmentId, memos, paper);
  const rejected = rejectionOf(options.discardsDecisions ? [] : conflicts, otherPoints);
  const decided = decidedIn(rows);
  // The version has the id of the import before, because previews of two imports of equal size look the same.
  const version = hashOf(
    JSON.stringify([lastId, resultsBefore?.title, questions, counts, decided]),
  );
  const done = {
    outcome: "imported" as const,
    version,
    replaced: resultsBefore !== undefined,
    decided,
    proposedBy: imported.proposedBy,
    ...counts,
    memos,
  };
  const { seenVersion: seen } = options;
  const title = imported.title || resultsBefore?.title || "";
  // If a form is sent twice, the second changes nothing. Comparing a whole class is slow, so this check comes last.
  const isRepeated =
    Boolean(seen) &&
    counts.proposals === 0 &&
    title === resultsBefore?.title &&
    isDeepStrictEqual([after.submissions, paper], [submissionsBefore, questions]);
  const isSeen = seen === undefined || seen === version;
  if (rejected || isRepeated || !isSeen) {
    await tx.delete(imports).where(eq(imports.id, importId));
    if (rejected) return rejected;
    return isRepeated ? { ...done, results: resultsBefore, isRepeated } : done;
  }
  await tx.update(imports).set(counts).where(eq(imports.id, importId));
  await storeImported(tx, { assessmentId, importId }, { before: resultsBefore, rows, after }, now);
  if (rows.length === 0) await addFiles(tx, await learnerRows(tx, assessmentId), upload.files);
  if (!isDeepStrictEqual(paper, await questionRows(tx, assessmentId))) {
    await storeQuestions(tx, assessmentId, paper);
    await storePoints(tx, assessmentId, plans, now);
  }
  await storeSummary(tx, assessmentId, { title, isMarked: true });
  return { ...done, results: (await findImportedResults(tx, assessmentId))! };
}

/** The id of the last import of a class; null before the first. */
async function lastImportId(tx: Tx, assessmentId: number): Promise<number | null> {
  const [last] = await tx
    .select({ id: max(imports.id) })
    .from(imports)
    .where(eq(imports.assessmentId, assessmentId));
  return last?.id ?? null;
}

/** Archives results of a class before their marks are changed or discarded. */
export async function archiveResults(
  tx: Tx,
  archived: Omit<typeof replacedResults.$inferInsert, "replacedAt">,
  now: Date,
): Promise<void> {
  await tx.insert(replacedResults).values({ ...archived, replacedAt: now.toISOString() });
}

export async function archivesOf(tx: Tx, assessmentId: number) {
  const { id, results, replacedAt } = replacedResults;
  return await tx
    .select({ id, results, replacedAt })
    .from(replacedResults)
    .where(eq(replacedResults.assessmentId, assessmentId));
}

/** The results with the submissions of these learners alone. */
function resultsOnly(results: Results, rows: readonly StoredSubmission[]): Results {
  const ids = new Set<number | undefined>(rows.map(({ id }) => id));
  const submissions = results.submissions.filter(({ learnerId }) => ids.has(learnerId));
  return { ...results, submissions };
}

/** A class before an import, and with what was imported. */
interface StoredOver {
  before: Results | undefined;
  rows: StoredSubmission[];
  after: ReturnType<typeof importedOver<MarkedSubmission>>;
}

/**
 * Stores the submissions that an import has changed, or all of them if the class had no submissions. Archives the
 * results that it replaces.
 */
async function storeImported(
  tx: Tx,
  { assessmentId, importId }: { assessmentId: number; importId: number },
  { before, rows, after: { submissions: marked, counts } }: StoredOver,
  now: Date,
): Promise<void> {
  // The import keeps the order of the rows; new submissions have no row yet.
  const changed = marked
    .map((submission, index) => ({ row: rows[index], submission }))
    .filter(({ row, submission }) => !isDeepStrictEqual(row, submission));
  const replaced = changed.flatMap(({ row }) => (row && hasMarks(row) ? [row] : []));
  if (before && replaced.length > 0) {
    const results = resultsOnly(before, replaced);
    const { discardedDecisions } = counts;
    await archiveResults(tx, { assessmentId, importId, results, discardedDecisions }, now);
  }
  const processedAt = now.toISOString();
  for (const { row, submission } of changed) {
    const values = { ...submission, ...marksColumns(submission), processedAt };
    if (row) await tx.update(submissions).set(values).where(eq(submissions.id, row.id));
    else await tx.insert(submissions).values({ assessmentId, ...values });
  }
}

function rejectionOf(
  conflicts: string[],
  otherPoints: string[],
): Extract<ImportOutcome, { conflicts: string[] }> | undefined {
  if (conflicts.length > 0) return { outcome: "conflicts", conflicts };
  return otherPoints.length > 0 ? { outcome: "other points", conflicts: otherPoints } : undefined;
}

/** Plans the points of questions that are removed or whose memo is imported. Points of other questions stay. */
async function plannedPoints(
  tx: Tx,
  assessmentId: number,
  memos: readonly ImportedQuestion[],
  paper: readonly ImportedQuestion[],
): Promise<{ plans: QuestionPlan[]; otherPoints: string[] }> {
  const stored = await pointRows(tx, assessmentId);
  const isIn = (questions: readonly ImportedQuestion[], number: string) =>
    questions.some(({ questionNumber }) => questionNumber === number);
  const changing = Object.entries(stored).filter(
    ([number]) => isIn(memos, number) || !isIn(paper, number),
  );
  const named = changing.length > 0 ? await namedPoints(tx, assessmentId) : new Set<number>();
  const plans = planPoints(Object.fromEntries(changing), memos, { named });
  const ofMemos = plans.filter(({ questionNumber }) => isIn(memos, questionNumber));
  return { plans, otherPoints: pointConflicts(ofMemos, named) };
}

const hasMarks = ({ questionMarks }: MarkedSubmission): boolean =>
  questionMarks.some(
    ({ marksAwarded, feedback, second }) => marksAwarded !== null || feedback !== "" || second,
  );

/** Records an import with counts of 0, which the caller updates. Returns its id. */
async function addImport(
  tx: Tx,
  assessmentId: number,
  { proposedBy }: ImportedResults,
  now: Date,
): Promise<number> {
  const none = { proposals: 0, learners: 0, discardedDecisions: 0 };
  const [added] = await tx
    .insert(imports)
    .values({ assessmentId, proposedBy, ...none, createdAt: now.toISOString() })
    .returning({ id: imports.id });
  return added!.id;
}
