import { isDeepStrictEqual } from "node:util";
import { asc, eq } from "drizzle-orm";
import type { MarkingTarget } from "../../app/domain/publication.ts";
import type { Results } from "../../app/domain/result.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  replacedResults,
  submissions,
} from "../schema.ts";
import { revokeLinks } from "./result-links.ts";

/** The work to be marked for a request; undefined if the request has no submissions. */
export async function findMarkingTarget(
  tx: Tx,
  reference: string,
): Promise<MarkingTarget | undefined> {
  const [found] = await tx
    .select({
      assessmentId: assessments.id,
      status: assessments.status,
      fileNames: assessmentSubmissions.submissionFileNames,
    })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, eq(assessments.assessmentSubmissionId, assessmentSubmissions.id))
    .where(eq(contactRequests.reference, reference))
    .limit(1);
  return found && { ...found, fileNames: found.fileNames ?? [] };
}

/**
 * Stores the marks of an assessment. Earlier marks are archived, and their link is revoked.
 * @returns whether there were earlier marks
 */
export async function importResults(
  tx: Tx,
  assessmentId: number,
  results: Results,
  now: Date,
): Promise<boolean> {
  const { submissions: marked, ...summary } = results;
  const time = now.toISOString();
  const before = await findImportedResults(tx, assessmentId);
  if (before) {
    await tx.insert(replacedResults).values({ assessmentId, results: before, replacedAt: time });
    await tx.delete(submissions).where(eq(submissions.assessmentId, assessmentId));
    await revokeLinks(tx, assessmentId, time);
  }
  for (const submission of marked) {
    await tx.insert(submissions).values({ assessmentId, ...submission, processedAt: time });
  }
  await tx
    .update(assessments)
    .set({ results: summary, status: "graded" })
    .where(eq(assessments.id, assessmentId));
  return before !== undefined;
}

/** The marks of an assessment, published or not; undefined before the first import. */
export async function findImportedResults(
  tx: Tx,
  assessmentId: number,
): Promise<Results | undefined> {
  const [found] = await tx
    .select({ results: assessments.results })
    .from(assessments)
    .where(eq(assessments.id, assessmentId));
  if (!found?.results) return undefined;
  const { studentName, fileName, grade, feedback, questionMarks } = submissions;
  const rows = await tx
    .select({ studentName, fileName, grade, feedback, questionMarks })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(submissions.id));
  return {
    ...found.results,
    submissions: rows.map((row) => ({
      ...row,
      // Nullable by the specification; an import fills them all.
      grade: row.grade!,
      feedback: row.feedback!,
      questionMarks: row.questionMarks!,
    })),
  };
}

/**
 * Stores results in which a person has decided a mark. Links to them stay open.
 * @param before the results that were decided on; if others are stored by now, nothing is changed
 * @returns whether they were stored
 */
export async function storeDecidedMark(
  tx: Tx,
  assessmentId: number,
  before: Results,
  after: Results,
): Promise<boolean> {
  const isThis = eq(assessments.id, assessmentId);
  // Another decision waits for this one.
  await tx.locked(tx.select({ id: assessments.id }).from(assessments).where(isThis));
  const stored = await findImportedResults(tx, assessmentId);
  if (!isDeepStrictEqual(stored, before)) return false;
  const rows = await tx
    .select({ id: submissions.id })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(submissions.id));
  const { submissions: marked, ...summary } = after;
  for (const [index, { grade, questionMarks }] of marked.entries()) {
    if (isDeepStrictEqual(questionMarks, before.submissions[index]!.questionMarks)) continue;
    await tx
      .update(submissions)
      .set({ grade, questionMarks })
      .where(eq(submissions.id, rows[index]!.id));
  }
  await tx.update(assessments).set({ results: summary }).where(isThis);
  return true;
}
