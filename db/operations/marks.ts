import { asc, eq } from "drizzle-orm";
import type { Results } from "../../app/domain/result.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  replacedResults,
  submissions,
} from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { withdrawLinks } from "./result-links.ts";

/** A demo upload as whoever marks it must know it. */
export interface MarkingTarget {
  assessmentId: number;
  status: "pending" | "submitted" | "graded" | "published";
  /** Of the submissions, in the order they were sent. */
  fileNames: string[];
}

/** What is to be marked under a reference, or undefined where the request is none with submissions. */
export async function findMarkingTarget(
  db: Db,
  reference: string,
): Promise<MarkingTarget | undefined> {
  const found = db
    .select({
      assessmentId: assessments.id,
      status: assessments.status,
      fileNames: assessmentSubmissions.submissionFileNames,
    })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, eq(assessments.assessmentSubmissionId, assessmentSubmissions.id))
    .where(eq(contactRequests.reference, reference))
    .get();
  return found && { ...found, fileNames: found.fileNames ?? [] };
}

/**
 * Puts marks in the place of those that were there, which are kept apart, and withdraws what had been
 * published of them. All of it or nothing.
 * @returns whether there were marks before
 */
export async function importResults(
  db: Db,
  assessmentId: number,
  results: Results,
  now: Date,
): Promise<boolean> {
  const { submissions: marked, ...summary } = results;
  const time = now.toISOString();
  return db.transaction(
    (tx) => {
      const before = readResults(tx, assessmentId);
      if (before) {
        tx.insert(replacedResults)
          .values({ assessmentId, results: before, replacedAt: time })
          .run();
        tx.delete(submissions).where(eq(submissions.assessmentId, assessmentId)).run();
        withdrawLinks(tx, assessmentId, time);
      }
      for (const submission of marked) {
        tx.insert(submissions)
          .values({ assessmentId, ...submission, processedAt: time })
          .run();
      }
      tx.update(assessments)
        .set({ results: summary, status: "graded" })
        .where(eq(assessments.id, assessmentId))
        .run();
      return before !== undefined;
    },
    { behavior: "immediate" },
  );
}

/** The marks of an assessment, or undefined where none have been imported. */
export function readResults(db: Pick<Db, "select">, assessmentId: number): Results | undefined {
  const found = db
    .select({ results: assessments.results })
    .from(assessments)
    .where(eq(assessments.id, assessmentId))
    .get();
  if (!found?.results) return undefined;
  const { studentName, fileName, grade, feedback, questionMarks } = submissions;
  const rows = db
    .select({ studentName, fileName, grade, feedback, questionMarks })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(submissions.id))
    .all();
  return {
    ...found.results,
    submissions: rows.map((row) => ({
      ...row,
      // The columns may be empty by the specification; an import fills them all.
      grade: row.grade!,
      feedback: row.feedback!,
      questionMarks: row.questionMarks!,
    })),
  };
}
