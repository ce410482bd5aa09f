import { and, eq, isNull } from "drizzle-orm";
import type { MarksEvent } from "../../app/domain/decision.ts";
import { pick, type Tx } from "../operation.ts";
import { decisions, imports, replacedResults, signatures, submissions } from "../schema.ts";
import { decisionTextColumns, roleOf } from "./decisions.ts";

/** Every import, decision, signature, reopening and replacement of the marks of an assessment, oldest first. */
export async function listMarksEvents(tx: Tx, assessmentId: number): Promise<MarksEvent[]> {
  const events = [
    ...(await importEvents(tx, assessmentId)),
    ...(await decisionEvents(tx, assessmentId)),
    ...(await signatureEvents(tx, assessmentId)),
    ...(await replacedEvents(tx, assessmentId)),
  ];
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

async function decisionEvents(tx: Tx, assessmentId: number): Promise<MarksEvent[]> {
  const rows = await tx
    .select({
      at: decisions.createdAt,
      by: decisions.decidedBy,
      ...pick(decisions, "markingLinkId", "resultLinkId"),
      ...pick(submissions, "fileName", "studentName"),
      questionNumber: decisions.questionNumber,
      from: decisions.fromMarks,
      to: decisions.toMarks,
      notAnswered: decisions.isNotAnswered,
      ...decisionTextColumns,
      ...pick(decisions, "reason", "how", "points"),
    })
    .from(decisions)
    .innerJoin(submissions, eq(submissions.id, decisions.submissionId))
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(decisions.id);
  return rows.map(({ markingLinkId, resultLinkId, ...row }) => ({
    event: "decided",
    ...row,
    role: roleOf({ markingLinkId, resultLinkId }),
  }));
}

async function signatureEvents(tx: Tx, assessmentId: number): Promise<MarksEvent[]> {
  const rows = await tx
    .select({
      by: signatures.signedBy,
      at: signatures.createdAt,
      reopenedAt: signatures.reopenedAt,
    })
    .from(signatures)
    .where(eq(signatures.assessmentId, assessmentId))
    .orderBy(signatures.id);
  return rows.flatMap(({ by, at, reopenedAt }) => [
    { event: "signed" as const, at, by },
    ...(reopenedAt ? [{ event: "reopened" as const, at: reopenedAt }] : []),
  ]);
}

/** Replacements by other questions. Marks that an import replaced are counted in the event of the import. */
async function replacedEvents(tx: Tx, assessmentId: number): Promise<MarksEvent[]> {
  const rows = await tx
    .select({ at: replacedResults.replacedAt, ...pick(replacedResults, "discardedDecisions") })
    .from(replacedResults)
    .where(and(eq(replacedResults.assessmentId, assessmentId), isNull(replacedResults.importId)))
    .orderBy(replacedResults.id);
  return rows.map((row) => ({ event: "replaced", ...row }));
}

async function importEvents(tx: Tx, assessmentId: number): Promise<MarksEvent[]> {
  const rows = await tx
    .select({
      at: imports.createdAt,
      ...pick(imports, "proposedBy", "proposals", "learners", "discardedDecisions"),
    })
    .from(imports)
    .where(eq(imports.assessmentId, assessmentId))
    .orderBy(imports.id);
  return rows.map((row) => ({ event: "imported", ...row }));
}
