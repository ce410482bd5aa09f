import { isDeepStrictEqual } from "node:util";
import { asc, eq } from "drizzle-orm";
import type { Results } from "../../app/domain/result.ts";
import type { Tx } from "../operation.ts";
import { assessments, submissions } from "../schema.ts";
import { findImportedResults } from "./imported-results.ts";

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
